package org.plant4j.fhir;

import java.util.Locale;
import java.util.Set;
import org.hl7.fhir.utilities.xhtml.NodeType;
import org.hl7.fhir.utilities.xhtml.XhtmlNode;

/** Extracts the plain text of a narrative. Markup becomes line breaks and spaces; scripts, styles and comments are dropped. */
final class NarrativeText {

    private static final Set<String> BLOCK_ELEMENTS = Set.of(
            "p",
            "div",
            "li",
            "ul",
            "ol",
            "tr",
            "table",
            "thead",
            "tbody",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "blockquote",
            "pre",
            "dl",
            "dt",
            "dd",
            "caption");
    private static final Set<String> TABLE_CELLS = Set.of("td", "th");
    private static final Set<String> IGNORED_ELEMENTS = Set.of("script", "style", "head", "title");

    private NarrativeText() {}

    static String extract(XhtmlNode narrative) {
        StringBuilder out = new StringBuilder();
        add(narrative, out);
        return out.toString()
                .replace('\u00a0', ' ')
                .replaceAll("[ \\t\\r\\f]+", " ")
                .replaceAll(" ?\\n ?", "\n")
                .replaceAll("\\n{3,}", "\n\n")
                .strip();
    }

    private static void add(XhtmlNode node, StringBuilder out) {
        if (node.getNodeType() == NodeType.Text || node.getNodeType() == NodeType.CData) {
            out.append(node.getContent());
            return;
        }
        if (node.getNodeType() != NodeType.Element && node.getNodeType() != NodeType.Document) {
            return;
        }
        String name = String.valueOf(node.getName()).toLowerCase(Locale.ROOT);
        if (IGNORED_ELEMENTS.contains(name)) {
            return;
        }
        if (name.equals("br") || name.equals("hr")) {
            out.append('\n');
            return;
        }
        String separator = BLOCK_ELEMENTS.contains(name) ? "\n" : TABLE_CELLS.contains(name) ? " " : "";
        out.append(separator);
        for (XhtmlNode child : node.getChildNodes()) {
            add(child, out);
        }
        out.append(separator);
    }
}
