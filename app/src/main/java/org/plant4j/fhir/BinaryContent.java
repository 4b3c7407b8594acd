package org.plant4j.fhir;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hl7.fhir.instance.model.api.IBaseResource;
import org.hl7.fhir.r4.model.Attachment;
import org.hl7.fhir.r4.model.Binary;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.DomainResource;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Resource;

/** The Binary resources that were sent along, to which attachments refer. Nothing is ever fetched. */
final class BinaryContent {

    /** Encoded text; the data is shared by all attachments that name the same Binary. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Content(String type, byte[] data) {}

    /** By full URL, and by {@code Binary/ID} and {@code ID} of a parameter. */
    private final Map<String, Binary> bundled = new HashMap<>();

    BinaryContent(IBaseResource root) {
        collect((Resource) root, "");
    }

    private void collect(Resource resource, String fullUrl) {
        if (resource instanceof Bundle bundle) {
            bundle.getEntry().stream()
                    .filter(Bundle.BundleEntryComponent::hasResource)
                    .forEach(each -> collect(each.getResource(), each.hasFullUrl() ? each.getFullUrl() : ""));
        } else if (resource instanceof Parameters parameters) {
            parameters.getParameter().stream()
                    .filter(Parameters.ParametersParameterComponent::hasResource)
                    .forEach(each -> collect(each.getResource(), ""));
        } else if (resource instanceof Binary binary) {
            bundled.put(fullUrl, binary);
            if (binary.hasId()) {
                bundled.put("Binary/" + binary.getIdElement().getIdPart(), binary);
            }
        }
    }

    /** The data of an attachment or, if it has none, of the Binary that its URL names, if that was sent. */
    Optional<Content> resolve(Attachment attachment, DomainResource owner) {
        Optional<String> type = Optional.ofNullable(attachment.getContentType());
        if (attachment.hasData()) {
            return Optional.of(new Content(type.orElse(""), attachment.getData()));
        }
        return Optional.ofNullable(attachment.getUrl())
                .flatMap(url -> find(url, owner))
                .filter(Binary::hasData)
                .map(binary -> new Content(
                        binary.hasContentType() ? binary.getContentType() : type.orElse(""), binary.getData()));
    }

    private Optional<Binary> find(String url, DomainResource owner) {
        if (url.startsWith("#")) {
            return owner.getContained().stream()
                    .filter(each -> each instanceof Binary
                            && url.substring(1).equals(each.getIdElement().getIdPart()))
                    .map(Binary.class::cast)
                    .findFirst();
        }
        return Optional.ofNullable(bundled.get(url));
    }
}
