package org.plant4j.app.fhir;

import java.util.Locale;
import java.util.Set;
import org.hl7.fhir.utilities.xhtml.NodeType;
import org.hl7.fhir.utilities.xhtml.XhtmlNode;

/** The words of a narrative: markup becomes line ends and blanks, and nothing of scripts, styles and comments is left. */
final class NarrativeText {

    private static final Set<String> LINES = Set.of(
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
    private static final Set<String> CELLS = Set.of("td", "th");
    private static final Set<String> SILENT = Set.of("script", "style", "head", "title");

    private NarrativeText() {}

    static String of(XhtmlNode narrative) {
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
        if (SILENT.contains(name)) {
            return;
        }
        if (name.equals("br") || name.equals("hr")) {
            out.append('\n');
            return;
        }
        String edge = LINES.contains(name) ? "\n" : CELLS.contains(name) ? " " : "";
        out.append(edge);
        for (XhtmlNode child : node.getChildNodes()) {
            add(child, out);
        }
        out.append(edge);
    }
}
