package org.plant4j.fhir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.Provenance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Band;
import org.plant4j.DomainCheck;
import org.plant4j.Suggestion;
import org.plant4j.UserError;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.SourceDocument;

/** Parameters, Binary, HTML, refused documents, batches, transactions, provenance and definitions. */
class FhirInputTest {

    private static final ResourceValidator VALIDATOR = new ResourceValidator();
    private static final long SEED = 20260301;

    private final List<List<SourceDocument>> coded = new ArrayList<>();

    /** Suggests one code for every encounter, and fails on the word "broken". */
    private CodedDocument coder(List<SourceDocument> documents) {
        if (documents.get(0).text().contains("broken")) {
            throw new UserError("The document is too long", "text", "send less");
        }
        coded.add(documents);
        return new CodedDocument(
                "m",
                "v",
                DomainCheck.IN_DOMAIN,
                List.of(new Suggestion("I10", "Hypertension", 0.9, 0.9, Band.SUGGEST, true, List.of())));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String document(String more, String attachment) {
        return "{\"resourceType\": \"DocumentReference\", " + more + "\"content\": [{\"attachment\": {" + attachment
                + "}}]}";
    }

    private static String current(String attachment) {
        return document("\"status\": \"current\", ", attachment);
    }

    private static String plain(String text) {
        return current("\"contentType\": \"text/plain\", \"data\": \"" + base64(text) + "\"");
    }

    private static String ofEncounter(String encounter, String text) {
        return document(
                "\"status\": \"current\", \"subject\": {\"reference\": \"Patient/p\"}, \"context\": {\"encounter\":"
                        + " [{\"reference\": \"Encounter/" + encounter + "\"}]}, ",
                "\"contentType\": \"text/plain\", \"data\": \"" + base64(text) + "\"");
    }

    private static String binary(String id, String type, String text) {
        return "{\"resourceType\": \"Binary\", \"id\": \"" + id + "\", \"contentType\": \"" + type + "\", \"data\": \""
                + base64(text) + "\"}";
    }

    private static String bundle(String type, String... entries) {
        return "{\"resourceType\": \"Bundle\", \"type\": \"" + type + "\", \"entry\": [" + String.join(",", entries)
                + "]}";
    }

    private static String entry(String resource) {
        return "{\"resource\": " + resource + "}";
    }

    private static String call(String url, String resource) {
        return "{\"resource\": " + resource + ", \"request\": {\"method\": \"POST\", \"url\": \"" + url + "\"}}";
    }

    private Bundle code(String resource) {
        return valid(new FhirService(FhirLimits.NONE).code(resource, this::coder));
    }

    private Bundle process(String resource) {
        return valid(new FhirService(FhirLimits.NONE).process(resource, this::coder, FhirError::of));
    }

    private static Bundle valid(String out) {
        assertThat(VALIDATOR.errors(out)).isEmpty();
        return (Bundle) FhirJson.parse(out);
    }

    private String text() {
        return coded.get(0).get(0).text();
    }

    @Test
    void parametersAreAccepted() {
        code("{\"resourceType\": \"Parameters\", \"parameter\": [{\"name\": \"resource\", \"resource\": "
                + plain("Known hypertension.") + "}]}");
        assertThat(text()).isEqualTo("Known hypertension.");
    }

    @Test
    void bundledAndContainedBinariesAreRead() {
        code(bundle(
                "collection",
                entry(current("\"contentType\": \"text/plain\", \"url\": \"Binary/b1\"")),
                entry(binary("b1", "text/plain", "From a binary."))));
        code(bundle(
                "collection",
                entry(current("\"url\": \"urn:uuid:5b0c7c3e-6a0e-4d5c-9a3f-0a6f4a1c2b7d\"")),
                "{\"fullUrl\": \"urn:uuid:5b0c7c3e-6a0e-4d5c-9a3f-0a6f4a1c2b7d\", \"resource\": "
                        + binary("b2", "text/html", "<p>As <b>HTML</b>.</p>") + "}"));
        code(document(
                "\"status\": \"current\", \"contained\": [" + binary("b3", "text/plain", "Contained.") + "], ",
                "\"contentType\": \"text/plain\", \"url\": \"#b3\""));
        assertThat(coded)
                .extracting(each -> each.get(0).text())
                .containsExactly("From a binary.", "As HTML.", "Contained.");
    }

    @Test
    void linksAreNotFollowed() {
        String in = current("\"contentType\": \"text/plain\", \"url\": \"http://127.0.0.1:1/Binary/b1\"");
        assertThat(catchThrowableOfType(UserError.class, () -> code(in)).what()).contains("no document");
    }

    @Test
    void htmlBecomesText() {
        code(current("\"contentType\": \"text/html; charset=utf-8\", \"data\": \""
                + base64(
                        "<html><head><title>no</title><style>p{}</style></head><body><script>no()</script><p>Fever &amp;"
                                + " chills</p><ul><li>gout<li>asthma</ul><img src=x onerror=no()></body></html>")
                + "\""));
        assertThat(text()).isEqualTo("Fever & chills\n\ngout\nasthma");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"status\": \"superseded\", ",
                "\"status\": \"entered-in-error\", ",
                "\"status\": \"current\", \"docStatus\": \"entered-in-error\", "
            })
    void replacedAndMistakenDocumentsAreRefused(String status) {
        String in = document(status, "\"contentType\": \"text/plain\", \"data\": \"" + base64("Gout.") + "\"");
        UserError error = catchThrowableOfType(UserError.class, () -> code(in));
        assertThat(error.what()).isEqualTo("The document is superseded or was entered in error");
        assertThat(coded).isEmpty();
    }

    @Test
    void aBatchOfCallsIsAnsweredEntryByEntry() {
        Bundle out = process(bundle(
                "batch",
                call("$code", plain("Gout.")),
                call("Patient", "{\"resourceType\": \"Patient\"}"),
                call("$code", plain("broken")),
                call("http://here.example/fhir/$code", plain("Asthma."))));
        assertThat(out.getType()).isEqualTo(Bundle.BundleType.BATCHRESPONSE);
        assertThat(out.getEntry())
                .extracting(each -> each.getResponse().getStatus())
                .containsExactly("200 OK", "422", "422", "200 OK");
        assertThat(((Bundle) out.getEntry().get(0).getResource()).getEntry()).hasSize(2);
        assertThat(FhirJson.encode(out.getEntry().get(2).getResponse().getOutcome()))
                .contains("The document is too long", "Bundle.entry[2], text");
    }

    @Test
    void aTransactionFailsAsAWhole() {
        String good = bundle("transaction", call("$code", plain("Gout.")), call("$code", plain("Asthma.")));
        Bundle out = process(good);
        assertThat(out.getType()).isEqualTo(Bundle.BundleType.TRANSACTIONRESPONSE);
        assertThat(out.getEntry()).hasSize(2);
        String bad = bundle("transaction", call("$code", plain("Gout.")), call("$code", plain("broken")));
        UserError error = catchThrowableOfType(UserError.class, () -> process(bad));
        assertThat(error.where()).isEqualTo("Bundle.entry[1], text");
        assertThat(catchThrowableOfType(UserError.class, () -> process(plain("Gout.")))
                        .remedy())
                .contains("transaction");
    }

    @Test
    void aTransactionOfDocumentsIsCodedByEncounter() {
        Bundle out = code(bundle(
                "transaction",
                call("Patient", "{\"resourceType\": \"Patient\", \"id\": \"p\"}"),
                call("DocumentReference", ofEncounter("e", "Gout.")),
                call("DocumentReference", ofEncounter("f", "Asthma.")),
                call("DocumentReference", ofEncounter("e", "Fever."))));
        assertThat(out.getType()).isEqualTo(Bundle.BundleType.TRANSACTIONRESPONSE);
        assertThat(out.getEntry())
                .extracting(each -> each.getResponse().getStatus())
                .containsOnly("200 OK");
        assertThat(out.getEntry())
                .extracting(Bundle.BundleEntryComponent::hasResource)
                .containsExactly(false, true, true, false);
        assertThat(coded).extracting(List::size).containsExactly(2, 1);
    }

    @Test
    void aBatchOfDocumentsKeepsTheGoodOnes() {
        Bundle out = code(bundle(
                "batch",
                call("DocumentReference", plain("Gout.")),
                call("DocumentReference", plain("Gout.").replace("current", "superseded"))));
        assertThat(out.getEntry())
                .extracting(each -> each.getResponse().getStatus())
                .containsExactly("200 OK", "422");
    }

    @Test
    void resultsAreLabelledAsMadeByAModel() {
        Bundle out = code(ofEncounter("e", "Hypertension."));
        assertThat(out.getEntry())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.getResource()
                                .getMeta()
                                .getSecurityFirstRep()
                                .getCode())
                        .isEqualTo("AIAST"));
        Provenance provenance = (Provenance) out.getEntry().get(1).getResource();
        assertThat(provenance.getTarget())
                .extracting(each -> each.getReference())
                .containsExactly(out.getEntry().get(0).getFullUrl());
        assertThat(provenance.getAgentFirstRep().getWho().getDisplay()).isEqualTo("Plant4j, model m, version v");
        assertThat(provenance.getEntity()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "OperationDefinition, code",
        "OperationDefinition, add-to-worklist",
        "StructureDefinition, band",
        "StructureDefinition, confidence",
        "StructureDefinition, evidence",
        "StructureDefinition, out-of-domain"
    })
    void definitionsAreServedAndValid(String type, String id) {
        String definition =
                new FhirService(FhirLimits.NONE).definition(type, id).orElseThrow();
        assertThat(
                        type.equals("StructureDefinition")
                                ? VALIDATOR.definitionErrors(definition)
                                : VALIDATOR.errors(definition))
                .isEmpty();
        assertThat(definition).contains("https://plant4j.org/fhir/" + type + "/" + id);
        assertThat(new FhirService(FhirLimits.NONE).definition(type, "../" + id))
                .isEmpty();
    }

    @Test
    void oddNarrativesAreReadOrRefused() {
        String[] pieces = {
            "<div>",
            "</div>",
            "<div xmlns='http://www.w3.org/1999/xhtml'>",
            "<p",
            ">",
            "<br/>",
            "&amp;",
            "&#x0;",
            "&nosuch;",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<?x?>",
            "fever",
            " ",
            "\\u0000",
            "\\ud800",
            "'",
            "=",
            "<td>",
            "<script>",
            "&",
            "<",
            "\\n",
            "<a href='x'>",
            "xmlns:x='y'",
            "<x:y/>",
            "<!DOCTYPE d [<!ENTITY e 'f'>]>",
            "&e;",
            "</p>"
        };
        Random random = new Random(SEED);
        int read = 0;
        for (int i = 0; i < 3000; i++) {
            StringBuilder div = new StringBuilder(random.nextBoolean() ? pieces[2] : "");
            for (int n = random.nextInt(12); n > 0; n--) {
                div.append(pieces[random.nextInt(pieces.length)]);
            }
            div.append(random.nextBoolean() ? pieces[1] : "");
            String composition = "{\"resourceType\": \"Composition\", \"status\": \"final\", \"section\": [{\"text\":"
                    + " {\"status\": \"additional\", \"div\": \"" + div + "\"}}]}";
            try {
                new FhirService(FhirLimits.NONE).code(composition, this::coder);
                read++;
            } catch (UserError refused) {
                assertThat(refused.remedy()).isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", div " + div, e);
            }
        }
        assertThat(read).as("seed " + SEED).isPositive();
    }

    @Test
    void aRequestCodesALimitedNumberOfEncounters() {
        FhirService service = new FhirService(new FhirLimits(1000, 2, 3));
        String one = ofEncounter("1", "One.");
        String two = ofEncounter("2", "Two.");
        String three = ofEncounter("3", "Three.");
        String pair = bundle("collection", entry(one), entry(two));
        List<String> tooLarge = List.of(
                bundle("collection", entry(one), entry(two), entry(three)),
                bundle("batch", entry(one), entry(two), entry(three)),
                bundle("batch", entry(one), entry(one), entry(one), entry(one)));
        for (String each : tooLarge) {
            assertThatExceptionOfType(RequestTooLarge.class).isThrownBy(() -> service.code(each, this::coder));
        }
        for (String each : List.of(
                bundle("batch", call("$code", one), call("$code", two), call("$code", three)),
                bundle("batch", call("$code", one), call("$code", pair)),
                bundle("batch", call("$other", one), call("$other", one), call("$other", one)))) {
            assertThatExceptionOfType(RequestTooLarge.class)
                    .isThrownBy(() -> service.process(each, this::coder, FhirError::of));
        }
        assertThat(coded).as("refused before anything is coded").isEmpty();
        service.process(bundle("batch", call("$code", one), call("$code", two)), this::coder, FhirError::of);
        assertThat(coded).hasSize(2);
    }
}
