package org.plant4j.fhir;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hl7.fhir.instance.model.api.IBaseResource;
import org.hl7.fhir.r4.model.Attachment;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.Composition;
import org.hl7.fhir.r4.model.DocumentReference;
import org.hl7.fhir.r4.model.Enumerations.DocumentReferenceStatus;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Reference;
import org.hl7.fhir.r4.model.Resource;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;

/**
 * Extracts documents from a resource: inline text or HTML of a DocumentReference, which may be in a Binary of the
 * same resource, sections of a Composition, and both from a Bundle or Parameters. Links are never followed.
 */
final class DocumentExtractor {

    /** Far more documents than an encounter has; bounds the memory of a request. */
    private static final int MAX_DOCUMENTS = 1000;

    private static final String HTML = "text/html";
    private static final Set<String> TEXT_TYPES = Set.of("text/plain", HTML);
    private static final Pattern CHARSET = Pattern.compile("charset=\"?([A-Za-z0-9._:-]+)\"?");

    private final List<ResourceDocument> found = new ArrayList<>();
    private final BinaryContent binaries;
    private final RequestSize size;
    private final Set<String> ids = new HashSet<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private int entry;

    /**
     * Extracts parts of a resource, of which attachments may refer to its Binary resources.
     *
     * @param size the content of the request so far
     */
    DocumentExtractor(IBaseResource root, RequestSize size) {
        this.binaries = new BinaryContent(root);
        this.size = size;
    }

    /** The documents; throws if there are none. */
    static List<ResourceDocument> extract(IBaseResource resource, RequestSize size) {
        List<ResourceDocument> found = find(resource, size);
        if (found.isEmpty()) {
            throw noDocument(resource.fhirType());
        }
        return found;
    }

    static List<ResourceDocument> find(IBaseResource resource, RequestSize size) {
        DocumentExtractor extractor = new DocumentExtractor(resource, size);
        extractor.add((Resource) resource, "");
        return List.copyOf(extractor.found);
    }

    static UserError noDocument(String where) {
        return new UserError(
                "The resource contains no document",
                where,
                "send a DocumentReference with inline text/plain or text/html data, a Composition whose sections have"
                        + " text, or a Bundle or Parameters of them");
    }

    /** Adds one entry of a bundle and returns its documents. */
    List<ResourceDocument> add(Bundle.BundleEntryComponent bundled) {
        int before = found.size();
        if (bundled.hasResource()) {
            add(bundled.getResource(), bundled.hasFullUrl() ? bundled.getFullUrl() : "");
        }
        return List.copyOf(found.subList(before, found.size()));
    }

    private void add(Resource resource, String fullUrl) {
        entry++;
        if (resource instanceof Bundle bundle) {
            bundle.getEntry().forEach(this::add);
        } else if (resource instanceof Parameters parameters) {
            parameters.getParameter().stream()
                    .filter(Parameters.ParametersParameterComponent::hasResource)
                    .forEach(each -> add(each.getResource(), ""));
        } else if (resource instanceof DocumentReference document) {
            requireCurrent(document.getStatus() == DocumentReferenceStatus.CURRENT || !document.hasStatus(), resource);
            requireCurrent(
                    document.getDocStatus() != DocumentReference.ReferredDocumentStatus.ENTEREDINERROR, resource);
            for (DocumentReference.DocumentReferenceContentComponent content : document.getContent()) {
                Attachment attachment = content.getAttachment();
                String title = attachment.hasTitle() ? attachment.getTitle() : document.getDescription();
                binaries.resolve(attachment, document)
                        .filter(each -> TEXT_TYPES.contains(mediaType(each)))
                        .ifPresent(each -> add(
                                text(each),
                                title,
                                source(document, fullUrl),
                                document.getSubject(),
                                document.getContext().getEncounterFirstRep()));
            }
        } else if (resource instanceof Composition composition) {
            requireCurrent(composition.getStatus() != Composition.CompositionStatus.ENTEREDINERROR, resource);
            Reference source = source(composition, fullUrl);
            composition.getSection().forEach(section -> add(section, composition, source));
        }
    }

    /** A document that was replaced or entered in error must not be coded. */
    private static void requireCurrent(boolean current, Resource resource) {
        if (!current) {
            throw new UserError(
                    "The document is superseded or was entered in error",
                    resource.fhirType() + ".status",
                    "send the current document");
        }
    }

    private void add(Composition.SectionComponent section, Composition composition, Reference source) {
        if (section.getText().getDiv() != null && section.getText().hasDiv()) {
            String text = NarrativeText.extract(section.getText().getDiv());
            size.addCharacters(text.length());
            add(
                    text,
                    section.hasTitle() ? section.getTitle() : composition.getTitle(),
                    source,
                    composition.getSubject(),
                    composition.getEncounter());
        }
        section.getSection().forEach(inner -> add(inner, composition, source));
    }

    private void add(String text, @Nullable String title, Reference source, Reference subject, Reference encounter) {
        if (text.isBlank()) {
            return;
        }
        String type = source.getType();
        TextLimits.requireShort(subject, type + ".subject");
        TextLimits.requireShort(encounter, type + " encounter");
        String shortTitle = TextLimits.requireShort(title == null ? "" : title, type + " title");
        if (found.size() == MAX_DOCUMENTS) {
            throw new UserError(
                    "The resource contains more than " + MAX_DOCUMENTS + " documents",
                    source.getType(),
                    "send fewer documents per resource");
        }
        found.add(new ResourceDocument(
                new SourceDocument(uniqueId(source), shortTitle, text), entry, source, subject, encounter));
    }

    /** The reference of the resource; further documents of the same resource are numbered from 2. */
    private String uniqueId(Reference source) {
        String base = source.hasReference() ? source.getReference() : "document";
        String id;
        do {
            int number = numbers.merge(base, 1, Integer::sum);
            id = number == 1 ? base : base + "#" + number;
        } while (!ids.add(id)); // a resource may itself be called document#2
        return id;
    }

    private static Reference source(Resource resource, String fullUrl) {
        Reference reference = new Reference().setType(resource.fhirType());
        if (!fullUrl.isEmpty()) {
            return reference.setReference(TextLimits.requireShort(fullUrl, "Bundle.entry.fullUrl"));
        }
        return resource.hasId()
                ? reference.setReference(resource.fhirType() + "/"
                        + TextLimits.requireShort(resource.getIdElement().getIdPart(), resource.fhirType() + ".id"))
                : reference.setDisplay("the submitted resource");
    }

    private static String mediaType(BinaryContent.Content content) {
        String type = TextLimits.requireShort(content.type(), "contentType");
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private String text(BinaryContent.Content content) {
        String decoded = decode(content);
        size.addCharacters(decoded.length()); // as HTML: markup without text takes time, too
        return mediaType(content).equals(HTML) ? NarrativeText.ofHtml(decoded) : decoded;
    }

    private static String decode(BinaryContent.Content content) {
        Matcher named = CHARSET.matcher(content.type());
        try {
            Charset charset = named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
            return charset.newDecoder().decode(ByteBuffer.wrap(content.data())).toString();
        } catch (CharacterCodingException | IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new UserError(
                    "The attachment is not in the encoding given in its content type (default UTF-8)",
                    "DocumentReference.content.attachment",
                    "send UTF-8, or declare the encoding: text/plain; charset=ISO-8859-1",
                    e);
        }
    }
}
