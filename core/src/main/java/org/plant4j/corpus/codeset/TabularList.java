package org.plant4j.corpus.codeset;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TextFiles;

/** The tabular list of ICD-10-CM, the XML file that CDC publishes: codes with their instructional notes. */
public final class TabularList {

    private static final String ROOT = "ICD10CM.tabular";

    private final int edition;
    private final Map<String, TabularEntry> entries;

    private TabularList(int edition, Map<String, TabularEntry> entries) {
        this.edition = edition;
        this.entries = Collections.unmodifiableMap(entries);
    }

    /** Whether the text of a file starts as XML does. */
    static boolean isXml(String start) {
        return start.stripLeading().startsWith("<");
    }

    public static TabularList read(Path file) {
        try (Reader text = TextFiles.reader(file)) {
            return read(text, file.toString());
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    /** Reads a list; {@code where} names it in errors. */
    public static TabularList read(Reader text, String where) {
        try {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false); // no entities from elsewhere
            factory.setProperty(XMLInputFactory.IS_COALESCING, true);
            XMLStreamReader xml = factory.createXMLStreamReader(text);
            xml.nextTag();
            if (!xml.getLocalName().equals(ROOT)) {
                throw invalid("its root is " + xml.getLocalName() + ", not " + ROOT, where);
            }
            return new Parser(xml, where).parse();
        } catch (XMLStreamException e) {
            throw invalid("line " + e.getLocation().getLineNumber() + " is not valid XML", where);
        }
    }

    /** The fiscal year: edition 2021 is valid from October 2020 to September 2021. */
    public int edition() {
        return edition;
    }

    public Optional<TabularEntry> find(String code) {
        return Optional.ofNullable(entries.get(code));
    }

    /** All codes, in order. */
    public Collection<TabularEntry> entries() {
        return entries.values();
    }

    private static UserError invalid(String why, String where) {
        return new UserError(
                "Not the tabular list of ICD-10-CM: " + why,
                where,
                "use the XML file icd10cm_tabular of CDC, or a file with the tab-separated columns code, synonym");
    }

    /** Reads elements recursively: a chapter contains sections, a section codes, a code further codes. */
    private static final class Parser {

        private final XMLStreamReader xml;
        private final String where;
        private final Map<String, TabularEntry> entries = new LinkedHashMap<>();
        private int edition;

        Parser(XMLStreamReader xml, String where) {
            this.xml = xml;
            this.where = where;
        }

        TabularList parse() throws XMLStreamException {
            while (nextChild()) {
                switch (xml.getLocalName()) {
                    case "version" -> edition = parseEdition(text());
                    case "chapter" -> parseEntry(Optional.empty());
                    default -> skip();
                }
            }
            return new TabularList(edition, entries);
        }

        private int parseEdition(String version) {
            try {
                return Integer.parseInt(version);
            } catch (NumberFormatException e) {
                throw invalid("its version is not a year", where);
            }
        }

        private void parseEntry(Optional<TabularEntry> parent) throws XMLStreamException {
            boolean isCode = xml.getLocalName().equals("diag");
            String code = "";
            String description = "";
            Map<String, List<String>> notes = new LinkedHashMap<>();
            Map<String, String> seventh = new LinkedHashMap<>();
            Optional<TabularEntry> entry = Optional.empty();
            while (nextChild()) {
                String element = xml.getLocalName();
                switch (element) {
                    case "name" -> code = isCode ? CodeSystem.ICD_10_CM.canonical(text()) : skipText();
                    case "desc" -> description = text();
                    case "sevenChrDef" -> parseExtensions(seventh);
                    case "section", "diag" -> {
                        if (entry.isEmpty()) { // all notes come before the first code below
                            entry = Optional.of(new TabularEntry(code, description, parent, false, notes, seventh));
                            add(entry.get());
                        }
                        parseEntry(entry);
                    }
                    default ->
                        notes.computeIfAbsent(element, each -> new ArrayList<>())
                                .addAll(parseNotes());
                }
            }
            if (entry.isEmpty()) {
                add(new TabularEntry(code, description, parent, true, notes, seventh));
            }
        }

        private void add(TabularEntry entry) {
            if (!entry.code().isEmpty()) {
                entries.put(entry.code(), entry);
            }
        }

        private void parseExtensions(Map<String, String> seventh) throws XMLStreamException {
            while (nextChild()) {
                String character = xml.getAttributeValue(null, "char");
                String meaning = text();
                if (character != null) {
                    seventh.put(character, meaning);
                }
            }
        }

        private List<String> parseNotes() throws XMLStreamException {
            List<String> notes = new ArrayList<>();
            while (nextChild()) {
                if (xml.getLocalName().equals("note")) {
                    String note = text();
                    if (!note.isEmpty()) {
                        notes.add(note);
                    }
                } else {
                    skip();
                }
            }
            return notes;
        }

        /** Moves to the next child of the present element; at its end returns false. */
        private boolean nextChild() throws XMLStreamException {
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    return true;
                }
                if (event == XMLStreamConstants.END_ELEMENT) {
                    return false;
                }
            }
            return false;
        }

        private String text() throws XMLStreamException {
            return xml.getElementText().strip().replaceAll("\\s+", " ");
        }

        private String skipText() throws XMLStreamException {
            xml.getElementText();
            return "";
        }

        private void skip() throws XMLStreamException {
            while (nextChild()) {
                skip();
            }
        }
    }
}
