package org.plant4j.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.plant4j.Document;
import org.plant4j.UserError;

/**
 * What a reader may do with a file, by an independent strict check: read exactly these documents, refuse the file, or
 * either of both where strictness is a matter of taste.
 *
 * @param compared whether the documents must be these
 */
record Verdict(boolean mayRead, boolean mayRefuse, boolean compared, List<Document> documents) {

    /** Nothing is known about the documents. */
    static final Verdict ANY = new Verdict(true, true, false, List.of());

    static final Verdict REFUSE = new Verdict(false, true, true, List.of());

    static Verdict read(List<Document> documents) {
        return new Verdict(true, false, true, documents);
    }

    Verdict orRefuse() {
        return new Verdict(mayRead, true, compared, documents);
    }

    /** The verdict on two parts of a file, in this order. */
    Verdict and(Verdict next) {
        List<Document> all = new ArrayList<>(documents);
        all.addAll(next.documents);
        return new Verdict(mayRead && next.mayRead, mayRefuse || next.mayRefuse, compared && next.compared, all);
    }

    /** Reads with the reader under test and compares; refusals of files that may be refused pass through. */
    Outcome check(Supplier<List<Document>> reader) {
        List<Document> found;
        try {
            found = reader.get();
        } catch (UserError refusal) {
            if (mayRefuse) {
                throw refusal;
            }
            throw new AssertionError("refused a valid file: " + refusal.what() + " at " + refusal.where(), refusal);
        }
        if (!mayRead) {
            throw new SilentDifference("read an invalid file as " + FuzzInput.printable(found.toString()));
        }
        if (compared) {
            SilentDifference.check(documents, found);
        }
        return Outcome.ACCEPTED;
    }
}
