package org.plant4j.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds a report as one self-contained HTML page: key facts, then sections of text, tables and charts. */
public final class ReportPage {

    private static final String STYLE = Html.resource(ReportPage.class, "report.css");

    private final String title;
    private final List<String> sections = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();
    private String lead = "";
    private String footer = "";

    private ReportPage(String title) {
        this.title = title;
    }

    public static ReportPage titled(String title) {
        return new ReportPage(title);
    }

    /** A sentence below the title. */
    public ReportPage lead(String sentence) {
        lead = "<p class=\"lead\">" + Html.escape(sentence) + "</p>\n";
        return this;
    }

    /** Key facts in a row, in the order of the map. */
    public ReportPage facts(Map<String, String> facts) {
        body.append("<dl class=\"facts\">\n").append(pairs(facts)).append("</dl>\n");
        return this;
    }

    /** Starts a section; all content added later belongs to it. */
    public ReportPage section(String heading) {
        body.append(sections.isEmpty() ? "" : "</section>\n");
        sections.add(heading);
        body.append("<section id=\"" + anchor(sections.size()) + "\">\n<h2>" + Html.escape(heading) + "</h2>\n");
        return this;
    }

    public ReportPage paragraphs(String... paragraphs) {
        for (String paragraph : paragraphs) {
            body.append("<p>").append(Html.escape(paragraph)).append("</p>\n");
        }
        return this;
    }

    public ReportPage table(ReportTable table) {
        body.append(table.toHtml());
        return this;
    }

    public ReportPage table(String caption, ReportTable table) {
        body.append("<h3>").append(Html.escape(caption)).append("</h3>\n");
        return table(table);
    }

    /** Charts side by side, wrapped to the width of the window. */
    public ReportPage charts(String... svgs) {
        body.append("<div class=\"charts\">\n");
        for (String svg : svgs) {
            body.append("<figure>").append(svg).append("</figure>\n");
        }
        body.append("</div>\n");
        return this;
    }

    /** A highlighted notice. */
    public ReportPage notice(String text) {
        body.append("<p class=\"notice\">").append(Html.escape(text)).append("</p>\n");
        return this;
    }

    /** Collapsed content under a summary. The content is HTML and is not escaped. */
    public ReportPage details(String summary, String html) {
        body.append("<details><summary>" + Html.escape(summary) + "</summary>\n")
                .append(html)
                .append("</details>\n");
        return this;
    }

    /** HTML that is not escaped, such as a highlighted document. */
    public ReportPage html(String html) {
        body.append(html).append('\n');
        return this;
    }

    /** The origin of the report in its footer: versions, seed, command. */
    public ReportPage provenance(Map<String, String> facts) {
        footer = "<footer><dl>\n" + pairs(facts) + "</dl></footer>\n";
        return this;
    }

    public String toHtml() {
        String header = "<header>\n<h1>" + Html.escape(title) + "</h1>\n" + lead + contents() + "</header>\n";
        String main = "<main>\n" + body + (sections.isEmpty() ? "" : "</section>\n") + "</main>\n";
        return Html.page(title, STYLE, header + main + footer);
    }

    private String contents() {
        if (sections.size() < 3) {
            return "";
        }
        StringBuilder links = new StringBuilder("<nav aria-label=\"Contents\">");
        for (int s = 1; s <= sections.size(); s++) {
            links.append("<a href=\"#" + anchor(s) + "\">" + Html.escape(sections.get(s - 1)) + "</a> ");
        }
        return links.append("</nav>\n").toString();
    }

    private static String anchor(int section) {
        return "section-" + section;
    }

    private static String pairs(Map<String, String> facts) {
        StringBuilder out = new StringBuilder();
        facts.forEach((name, value) -> out.append("<div><dt>" + Html.escape(name) + "</dt>")
                .append("<dd>" + Html.escape(value) + "</dd></div>\n"));
        return out.toString();
    }
}
