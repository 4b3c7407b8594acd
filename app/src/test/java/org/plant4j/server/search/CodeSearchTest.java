package org.plant4j.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSearchTest {

    private final CodeSearch search = new CodeSearch(
            List.of(
                    new ListedCode("E11", "Type 2 diabetes mellitus", false, false),
                    new ListedCode("E11.9", "Type 2 diabetes mellitus without complications", true, true),
                    new ListedCode("E11.65", "Type 2 diabetes mellitus with hyperglycemia", true, true),
                    new ListedCode("I10", "Essential (primary) hypertension", true, true),
                    new ListedCode("I27.20", "Pulmonary hypertension, unspecified", false, true),
                    new ListedCode("G30.9", "Alzheimer's disease, unspecified", true, true),
                    new ListedCode("C50.9", "Tumor maligno de mama, de sitio no especificado, niño", true, true),
                    new ListedCode("8140/3", "Adenocarcinoma, NOS", true, true),
                    new ListedCode("BW03ZZZ", "Plain radiography of chest", true, true),
                    new ListedCode("I50.9", "Heart failure, unspecified", true, true),
                    new ListedCode("J44.9", "Chronic obstructive pulmonary disease, unspecified", true, true),
                    new ListedCode("N39.0", "Urinary tract infection, site not specified", true, true),
                    new ListedCode("I48.91", "Unspecified atrial fibrillation", true, true),
                    new ListedCode("I21.9", "Acute myocardial infarction, unspecified", true, true),
                    new ListedCode("R07.9", "Chest pain, unspecified", true, true)),
            code -> code.equals("I48.91") ? List.of("Auricular flutter-fibrillation", "warfarin") : List.of());

    private List<String> find(String query) {
        return search.search(query, 5).stream().map(ListedCode::code).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "E11, E11",
        "e119, E11.9",
        "E11.9, E11.9",
        "e11.6, E11.65",
        "81403, 8140/3",
        "8140/3, 8140/3",
        "bw03, BW03ZZZ",
        "diabetes compl, E11.9",
        "hyperglyc, E11.65",
        "hypertnsion, I10",
        "alzheimer, G30.9",
        "alzeimer, G30.9",
        "tumór, C50.9",
        "nino, C50.9",
        "RADIOGRAPHY, BW03ZZZ",
        "E11 hyperglycemia, E11.65",
        "esential hypertension, I10",
        "adenocarcinoma of the chest, BW03ZZZ",
        "chf, I50.9",
        "dm2, E11.9",
        "copd, J44.9",
        "htn, I10",
        "uti, N39.0",
        "afib, I48.91",
        "Afib with RVR, I48.91",
        "high blood pressure, I10",
        "heart attack, I21.9",
        "warfarin, I48.91",
        "auricular, I48.91",
        "dibetes melitus type 2 withuot complicatoins, E11.9",
        "cronic obstrctive pulmonry diseese, J44.9",
        "urinry trakt infecton, N39.0",
        "hart failre, I50.9"
    })
    void findsTheIntendedCodeFirst(String query, String code) {
        assertThat(find(query)).first().isEqualTo(code);
    }

    @Test
    void prefersCodesOfTheModel() {
        assertThat(find("hypertension")).containsExactly("I10", "I27.20");
    }

    @Test
    void aCodePrefixListsItsDescendantsInCodeSetOrder() {
        assertThat(find("E11")).containsExactly("E11", "E11.9", "E11.65");
    }

    @Test
    void nonsenseHasNoResults() {
        assertThat(find("xyzzyplugh")).isEmpty();
        assertThat(find("  ... ")).isEmpty();
        assertThat(search.search("hypertension", 1)).hasSize(1);
    }
}
