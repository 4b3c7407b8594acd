package org.plant4j.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.plant4j.Document;

/** An independent reading of CSV by RFC 4180; a quote inside an unquoted field is doubtful. */
final class StrictCsv {

    private final String text;
    private final List<List<String>> rows = new ArrayList<>();
    private boolean doubtful;
    private int at;

    private StrictCsv(String text) {
        this.text = text;
    }

    /** The verdict on a corpus with the columns id, text and codes. */
    static Verdict check(byte[] bytes) {
        Optional<String> text = StrictJsonLines.decode(bytes);
        if (text.isEmpty()) {
            return Verdict.REFUSE;
        }
        StrictCsv csv = new StrictCsv(text.get());
        csv.doubtful = text.get().indexOf(0) >= 0; // perhaps binary data
        if (!csv.parse() || csv.rows.isEmpty()) {
            return Verdict.REFUSE;
        }
        List<String> header = csv.rows.get(0).stream()
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .toList();
        csv.doubtful |= new HashSet<>(header).size() < header.size();
        int[] columns = {header.indexOf("id"), header.indexOf("text"), header.indexOf("codes")};
        if (columns[0] < 0) {
            return Verdict.ANY; // ids from line numbers
        }
        if (columns[1] < 0 || columns[2] < 0) {
            return Verdict.REFUSE;
        }
        Verdict verdict = Verdict.read(List.of());
        Set<String> ids = new HashSet<>();
        for (List<String> row : csv.rows.subList(1, csv.rows.size())) {
            Verdict next = row.size() == header.size() ? document(row, columns) : Verdict.REFUSE;
            boolean repeated = next.documents().stream().anyMatch(document -> !ids.add(document.id()));
            verdict = verdict.and(repeated ? next.orRefuse() : next);
        }
        return csv.doubtful ? verdict.orRefuse() : verdict;
    }

    private static Verdict document(List<String> row, int[] columns) {
        String id = row.get(columns[0]).strip();
        String text = row.get(columns[1]);
        Set<String> codes = new TreeSet<>();
        for (String code : row.get(columns[2]).split(";", -1)) {
            if (!code.isBlank()) {
                codes.add(code.strip());
            }
        }
        if (id.isEmpty() || text.isBlank() || codes.isEmpty()) {
            return Verdict.REFUSE;
        }
        Verdict verdict = Verdict.read(List.of(new Document(id, text, codes)));
        boolean control = StrictJsonLines.hasControl(id) || codes.stream().anyMatch(StrictJsonLines::hasControl);
        return control ? verdict.orRefuse() : verdict;
    }

    /** False if a quoted field does not end, or is followed by anything but a separator. */
    private boolean parse() {
        List<String> row = new ArrayList<>();
        while (at < text.length()) {
            if (row.isEmpty() && lineBreak()) {
                continue; // an empty line
            }
            Optional<String> field = text.charAt(at) == '"' ? quoted() : Optional.of(unquoted());
            if (field.isEmpty()) {
                return false;
            }
            row.add(field.get());
            if (at == text.length() || lineBreak()) {
                rows.add(row);
                row = new ArrayList<>();
            } else if (text.charAt(at) == ',') {
                at++;
                if (at == text.length() || text.charAt(at) == '\n' || text.charAt(at) == '\r') {
                    row.add("");
                    lineBreak();
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else {
                return false;
            }
        }
        return true;
    }

    private boolean lineBreak() {
        int before = at;
        if (at < text.length() && text.charAt(at) == '\r') {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '\n') {
            at++;
        }
        return at > before;
    }

    private String unquoted() {
        int start = at;
        while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
            doubtful |= text.charAt(at++) == '"';
        }
        return text.substring(start, at);
    }

    private Optional<String> quoted() {
        StringBuilder field = new StringBuilder();
        for (at++; at < text.length(); at++) {
            if (text.charAt(at) != '"') {
                field.append(text.charAt(at));
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                field.append('"');
                at++;
            } else {
                at++;
                return Optional.of(field.toString());
            }
        }
        return Optional.empty();
    }
}
