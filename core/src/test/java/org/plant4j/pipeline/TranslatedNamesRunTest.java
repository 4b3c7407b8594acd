package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;

/** Mention matching of Spanish documents with English names of labels, from preparation to explained predictions. */
class TranslatedNamesRunTest extends PipelineTestCase {

    private static final List<String> ORGANS = List.of("hígado", "bazo", "vejiga", "mama", "hueso", "ojo", "cuello");
    private static final List<String> ENGLISH_ORGANS =
            List.of("liver", "spleen", "bladder", "breast", "bone", "eye", "neck");
    private static final List<String> FINDINGS = List.of("cálculo", "absceso", "quiste", "edema", "herida");
    private static final List<String> ENGLISH_FINDINGS = List.of("stone", "abscess", "cyst", "swelling", "wound");
    private static final int DOCUMENTS = 90;

    private Path codeSet;

    /** Case 0 to 34; those from 31 on, wounds of breast to neck, are in no training document. */
    private static final int CASES = ORGANS.size() * FINDINGS.size();

    private static final int TRAINED = CASES - 4;

    @BeforeEach
    void writeDocuments() {
        List<String> codes = new ArrayList<>(List.of("code\tdescription"));
        for (int i = 0; i < CASES; i++) {
            codes.add(code(i) + "\t" + english(i));
        }
        codeSet = tiny.write("signs.tsv", codes.toArray(String[]::new));
        List<String> train = new ArrayList<>();
        List<String> translations = new ArrayList<>();
        for (int document = 0; document < DOCUMENTS; document++) {
            int found = document < 30 ? document : (document * document) % TRAINED; // some have one document
            train.add(row(document, "El paciente presenta ", spanish(found), code(found)));
            translations.add(row(document, "The patient has ", english(found), code(found)));
        }
        tiny.write("train.jsonl", train.toArray(String[]::new));
        tiny.write("english.jsonl", translations.toArray(String[]::new));
        tiny.write("dev.jsonl", row(0, "El paciente presenta ", spanish(CASES - 1), code(CASES - 1)));
    }

    private static String code(int found) {
        return "" + (char) ('A' + found / ORGANS.size()) + (10 + found % ORGANS.size());
    }

    private static String spanish(int found) {
        return FINDINGS.get(found / ORGANS.size()) + " de " + ORGANS.get(found % ORGANS.size());
    }

    private static String english(int found) {
        return ENGLISH_FINDINGS.get(found / ORGANS.size()) + " of " + ENGLISH_ORGANS.get(found % ORGANS.size());
    }

    private static String row(int id, String before, String phrase, String code) {
        return String.format(
                Locale.ROOT,
                "{\"id\": \"%d\", \"text\": \"%s%s.\", \"codes\": [\"%s\"], \"evidence\": [{\"code\": \"%s\", \"spans\": [[%d, %d]]}]}",
                id,
                before,
                phrase,
                code,
                code,
                before.length(),
                before.length() + phrase.length());
    }

    @Test
    void labelsWithoutDocumentsAreFoundInAnotherLanguage() {
        Experiment experiment = tiny.translatedMentions(codeSet);
        assertThat(run(experiment)).isTrue();
        try (Coder coder = Coder.load(runDirectory(experiment).path())) {
            String text = "El paciente presenta " + spanish(CASES - 1) + ".";
            assertThat(coder.code(text).suggestions().get(0).code()).isEqualTo(code(CASES - 1));
            assertThat(coder.explain(text, code(CASES - 1))
                            .suggestion()
                            .evidence()
                            .get(0)
                            .text())
                    .contains("herida");
        }
    }

    @Test
    void otherTranslationsAreOtherData() throws IOException {
        Experiment experiment = tiny.translatedMentions(codeSet);
        run(experiment);
        Path english = directory.resolve("english.jsonl");
        Files.writeString(english, Files.readString(english).replace("liver", "spleen"));
        assertThatThrownBy(() -> run(experiment)).isInstanceOf(UserError.class).hasMessageContaining("other data");
    }

    @Test
    void missingTranslationsAreReported() {
        assertThatThrownBy(() -> tiny.translatedMentions(codeSet, "translations=[]"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no translated documents");
        tiny.write("english.jsonl", row(12345, "The patient has ", english(0), code(0)));
        assertThatThrownBy(() -> run(tiny.translatedMentions(codeSet)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No training document has a translation");
    }
}
