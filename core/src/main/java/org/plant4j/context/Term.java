package org.plant4j.context;

import java.util.List;
import java.util.Optional;
import org.plant4j.Trait;

/**
 * A phrase that gives other words of its sentence a trait, or that limits which words.
 *
 * @param trait present for triggers and headings
 */
record Term(List<String> words, Role role, Optional<Trait> trait) {

    enum Role {
        /** The mention follows the term: "no pneumonia". */
        FORWARD,
        /** The mention precedes the term: "pneumonia was ruled out". */
        BACKWARD,
        BOTH,
        /** The mention is in the section below the term: "Family history:". */
        HEADING,
        /** Contains a term that has no meaning here: "not only". */
        PSEUDO,
        /** Ends the scope of other terms: "no fever, but pneumonia". */
        END,
        /** Separates the items of a list: "no fever and chills". */
        ITEM,
        /** Separates phrases, but not scopes: "no fever or chills". */
        BORDER,
        /** Separates phrases, and makes a list item a clause. */
        VERB
    }

    Term {
        words = List.copyOf(words);
    }

    boolean isForward() {
        return role == Role.FORWARD || role == Role.BOTH;
    }

    boolean isBackward() {
        return role == Role.BACKWARD || role == Role.BOTH;
    }
}
