package org.example;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.Document;
import org.plant4j.MetricNames;
import org.plant4j.Training;
import org.plant4j.TrainingResult;

/** Trains a model on objects of a program. */
public final class TrainModel {

    /** A report as the program of this example stores it. */
    private record Report(int number, String patient, String text, Set<String> codes) {}

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "I10", "Essential hypertension",
            "E11.9", "Type 2 diabetes mellitus without complications",
            "J18.9", "Pneumonia, unspecified organism",
            "N18.9", "Chronic kidney disease, unspecified");

    private static final Map<String, List<String>> PHRASES = Map.of(
            "I10",
                    List.of(
                            "Known essential hypertension, on lisinopril.",
                            "High blood pressure, treated with amlodipine."),
            "E11.9", List.of("Type 2 diabetes, on metformin.", "Diabetes mellitus with a raised blood sugar."),
            "J18.9", List.of("Infiltrate in the right lower lobe: pneumonia.", "Pneumonia, treated with amoxicillin."),
            "N18.9", List.of("Chronic kidney disease with a raised creatinine.", "Chronic renal failure, stable."));

    private TrainModel() {}

    /** Takes the run directory. */
    public static void main(String... arguments) {
        Path run = Path.of(arguments[0]); // such as runs/mine
        // snippet: train
        List<Document> documents = new ArrayList<>();
        for (Report report : reports()) {
            String id = "report-" + report.number();
            documents.add(new Document(id, report.text(), report.codes()).withGroup(report.patient()));
        }
        TrainingResult result = Training.of(documents)
                .model("plant")
                .descriptions(DESCRIPTIONS)
                .epochs(3)
                .setting("model.encoder.hidden", 32) // a small network for a tiny corpus
                .listener((stage, outcome) -> System.out.println(stage + ": " + outcome))
                .run(run);
        // end
        result.test()
                .ifPresent(test -> System.out.printf("micro-F1 on test: %.2f%n", test.metric(MetricNames.MICRO_F1)));
    }

    /** 160 reports, each with two of the conditions; every patient has two reports. */
    private static List<Report> reports() {
        List<String> codes = List.copyOf(new TreeSet<>(PHRASES.keySet()));
        List<Report> reports = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
            String first = codes.get(i % 4);
            String second = codes.get((i + 1 + i / 4 % 3) % 4);
            String text = "Report " + i + ". " + PHRASES.get(first).get(i / 12 % 2) + " "
                    + PHRASES.get(second).get(i / 24 % 2) + " Discharged home.";
            reports.add(new Report(i, "patient-" + i / 2, text, Set.of(first, second)));
        }
        return reports;
    }
}
