package org.plant4j.corpus.codeset;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.support.UserError;

/**
 * The inclusion terms of the tabular list of ICD-10-CM, the XML file that CDC publishes: names of conditions that a code is
 * used for. Notes below other elements, such as excluded conditions, are skipped.
 */
final class TabularList {

    private static final String ROOT = "ICD10CM.tabular";

    private TabularList() {}

    /** Whether the text of a file starts as XML does. */
    static boolean isXml(String start) {
        return start.stripLeading().startsWith("<");
    }

    /** Passes each code with one of its inclusion terms. */
    static void read(Path file, BiConsumer<String, String> terms) {
        try (Reader text = TextFiles.reader(file)) {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false); // no entities from elsewhere
            factory.setProperty(XMLInputFactory.IS_COALESCING, true);
            read(factory.createXMLStreamReader(text), file, terms);
        } catch (XMLStreamException e) {
            throw invalid("line " + e.getLocation().getLineNumber() + " is not valid XML", file);
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private static void read(XMLStreamReader xml, Path file, BiConsumer<String, String> terms)
            throws XMLStreamException {
        Deque<String> elements = new ArrayDeque<>(); // innermost first
        Deque<String> codes = new ArrayDeque<>(); // of the open <diag> elements
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (elements.isEmpty() && !xml.getLocalName().equals(ROOT)) {
                    throw invalid("its root is " + xml.getLocalName() + ", not " + ROOT, file);
                }
                if (xml.getLocalName().equals("diag")) {
                    codes.push("");
                }
                elements.push(xml.getLocalName());
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                if (elements.pop().equals("diag")) {
                    codes.pop();
                }
            } else if (event == XMLStreamConstants.CHARACTERS && elements.size() > 1) {
                readText(xml.getText().strip().replaceAll("\\s+", " "), elements, codes, terms);
            }
        }
    }

    private static void readText(
            String text, Deque<String> elements, Deque<String> codes, BiConsumer<String, String> terms) {
        String element = elements.element();
        String parent = elements.stream().skip(1).findFirst().orElse("");
        if (element.equals("name") && parent.equals("diag")) {
            codes.pop();
            codes.push(CodeSystem.ICD_10_CM.canonical(text));
        } else if (element.equals("note") && parent.equals("inclusionTerm") && !codes.isEmpty() && !text.isEmpty()) {
            terms.accept(codes.element(), text);
        }
    }

    private static UserError invalid(String why, Path file) {
        return new UserError(
                "Not the tabular list of ICD-10-CM: " + why,
                file.toString(),
                "use the XML file icd10cm_tabular of CDC, or a file with the tab-separated columns code, synonym");
    }
}
