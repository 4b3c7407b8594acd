package org.plant4j.model;

/** Lets networks decode the documents of a batch one after the other, however small they are. */
public final class SingleDocuments {

    private SingleDocuments() {}

    /** Whether the model can do so; from now on it does. */
    public static boolean decodedBy(Model model) {
        if (model instanceof LabelNetwork<?> network && network.encodesTokens()) {
            network.decodeSingleDocumentsFrom(0);
            return true;
        }
        return false;
    }
}
