package org.plant4j.corpus.format;

import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.format.AdmissionTables.DischargeNote;

/** Admissions as documents: all of them, or a subset selected by their notes. */
final class AdmissionCorpus implements Corpus {

    private final String name;
    private final Admissions admissions;
    private final Supplier<Predicate<DischargeNote>> selection;

    AdmissionCorpus(String name, Admissions admissions) {
        this(name, admissions, () -> note -> true);
    }

    private AdmissionCorpus(String name, Admissions admissions, Supplier<Predicate<DischargeNote>> selection) {
        this.name = name;
        this.admissions = admissions;
        this.selection = selection;
    }

    /** The admissions with a selected note; {@code selection} is called when a pass begins. */
    AdmissionCorpus subset(String subsetName, Supplier<Predicate<DischargeNote>> subsetSelection) {
        return new AdmissionCorpus(subsetName, admissions, subsetSelection);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Stream<Document> documents() {
        return admissions.documents(selection.get());
    }
}
