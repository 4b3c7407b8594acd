package org.plant4j.fhir;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern HIDDEN_START =
            Pattern.compile("<!--|<(script|style|head|title)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern TAG = Pattern.compile("</?([A-Za-z][A-Za-z0-9]*)\\b[^<>]*>|<![^<>]*>");

    private NarrativeText() {}

    static String extract(XhtmlNode narrative) {
        StringBuilder out = new StringBuilder();
        add(narrative, out);
        return tidy(out.toString());
    }

    /** The text of an HTML document, which need not be well-formed: tags become line breaks or nothing. */
    static String ofHtml(String html) {
        String visible = withoutHidden(html);
        Matcher tag = TAG.matcher(visible.replaceAll("\\s+", " "));
        StringBuilder out = new StringBuilder();
        while (tag.find()) {
            String name = String.valueOf(tag.group(1)).toLowerCase(Locale.ROOT);
            boolean breaks = BLOCK_ELEMENTS.contains(name) || name.equals("br") || name.equals("hr");
            tag.appendReplacement(out, breaks ? "\n" : TABLE_CELLS.contains(name) ? " " : "");
        }
        tag.appendTail(out);
        return tidy(HtmlEntities.decode(out.toString()));
    }

    /**
     * Replaces comments, scripts and the like by a space, in linear time: the end of each kind is searched only until it
     * is missing once. What is not closed stays.
     */
    private static String withoutHidden(String html) {
        Matcher start = HIDDEN_START.matcher(html);
        Map<String, Matcher> ends = new HashMap<>();
        Set<String> unclosed = new HashSet<>();
        StringBuilder out = new StringBuilder();
        int copied = 0;
        int from = 0;
        while (start.find(from)) {
            from = start.end();
            String kind = start.group().toLowerCase(Locale.ROOT);
            if (unclosed.contains(kind)) {
                continue;
            }
            Matcher end = ends.computeIfAbsent(kind, each -> endOf(each).matcher(html));
            if (end.find(from)) {
                out.append(html, copied, start.start()).append(' ');
                copied = end.end();
                from = copied;
            } else {
                unclosed.add(kind);
            }
        }
        return out.append(html, copied, html.length()).toString();
    }

    private static Pattern endOf(String start) {
        return start.equals("<!--")
                ? Pattern.compile("-->")
                : Pattern.compile("</" + start.substring(1) + "\\s*>", Pattern.CASE_INSENSITIVE);
    }

    private static String tidy(String text) {
        return text.replace('\u00a0', ' ')
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
