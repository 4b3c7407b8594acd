package org.plant4j.fhir;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.parser.ErrorHandlerAdapter;
import ca.uhn.fhir.parser.IParser;
import ca.uhn.fhir.parser.json.BaseJsonLikeValue;
import org.hl7.fhir.instance.model.api.IBaseResource;
import org.plant4j.UserError;

/** Parses and encodes FHIR R4 JSON. Errors name the element, never its content. */
final class FhirJson {

    private static final String WHERE = "the FHIR resource";

    /** Created on first use: it takes about a second and tens of megabytes. */
    private static final class Context {
        static final FhirContext R4 = FhirContext.forR4();
    }

    private FhirJson() {}

    static FhirContext context() {
        return Context.R4;
    }

    static IBaseResource parse(String json) {
        IParser parser = context().newJsonParser();
        parser.setParserErrorHandler(new StrictErrorHandler());
        try {
            return parser.parseResource(json);
        } catch (StackOverflowError e) {
            throw new UserError("The resource is nested too deeply", WHERE, "send the documents as plain text");
        } catch (UserError e) {
            throw e;
        } catch (RuntimeException e) {
            // HAPI throws all kinds of exceptions. Message and cause are dropped, because they may quote a document.
            throw new UserError("Not a FHIR R4 resource in JSON", WHERE, "check it with a FHIR validator");
        }
    }

    static String encode(IBaseResource resource) {
        return context().newJsonParser().setPrettyPrint(true).encodeResourceToString(resource);
    }

    /** Rejects what HAPI would otherwise ignore or log, and reports only the element's name. */
    private static final class StrictErrorHandler extends ErrorHandlerAdapter {

        @Override
        public void unknownElement(IParseLocation location, String element) {
            throw rejection("has an element that is not part of FHIR R4", location, element);
        }

        @Override
        public void unknownAttribute(IParseLocation location, String attribute) {
            throw rejection("has an element that is not part of FHIR R4", location, attribute);
        }

        @Override
        public void invalidValue(IParseLocation location, String value, String error) {
            throw rejection("has an element with an invalid value", location, "");
        }

        @Override
        public void unexpectedRepeatingElement(IParseLocation location, String element) {
            throw rejection("repeats an element that must not repeat", location, element);
        }

        @Override
        public void incorrectJsonType(
                IParseLocation location,
                String element,
                BaseJsonLikeValue.ValueType expected,
                BaseJsonLikeValue.ScalarType expectedScalar,
                BaseJsonLikeValue.ValueType found,
                BaseJsonLikeValue.ScalarType foundScalar) {
            throw rejection("has an element of the wrong JSON type", location, element);
        }

        private static UserError rejection(String what, IParseLocation location, String element) {
            String parent = location == null ? "" : String.valueOf(location.getParentElementName());
            String name = element.isEmpty() ? "" : "." + name(element);
            return new UserError("The resource " + what, name(parent) + name, "check it with a FHIR validator");
        }

        /** Anything other than an element name is not echoed. */
        private static String name(String element) {
            return element.matches("[A-Za-z_][A-Za-z0-9_]{0,60}") ? element : "an element";
        }
    }
}
