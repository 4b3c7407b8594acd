package org.example;

import java.nio.file.Path;
import org.plant4j.Coder;
import org.plant4j.CodingResult;
import org.plant4j.Suggestion;

/** Codes a note with a trained run. */
public final class CodeNote {

    private CodeNote() {}

    /** Takes a run directory and a text. */
    public static void main(String... arguments) {
        Path run = Path.of(arguments[0]); // such as runs/mine
        String text = arguments[1];
        // snippet: code
        try (Coder coder = Coder.load(run)) {
            CodingResult result = coder.code(text);
            result.domain().notice().ifPresent(System.out::println);
            for (Suggestion suggestion : result.suggestions()) {
                System.out.printf("%s %s %.2f%n", suggestion.band(), suggestion.code(), suggestion.probability());
                suggestion.evidence().forEach(evidence -> System.out.println("  " + evidence.text()));
            }
        }
        // end
    }
}
