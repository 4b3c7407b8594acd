package org.plant4j.fhir;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes character references of HTML: numeric ones, and the named ones of HTML 4 that occur in text. */
final class HtmlEntities {

    private static final Pattern ENTITY =
            Pattern.compile("&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,7});");

    /** Names of consecutive code points, by the first one; {@code -} is a code point without a name. */
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(
                    160,
                    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3"
                            + " acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute"
                            + " Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH"
                            + " Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN"
                            + " szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave"
                            + " iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute"
                            + " ucirc uuml yacute thorn yuml"),
            Map.entry(338, "OElig oelig"),
            Map.entry(352, "Scaron scaron"),
            Map.entry(376, "Yuml"),
            Map.entry(
                    913,
                    "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau"
                            + " Upsilon Phi Chi Psi Omega"),
            Map.entry(
                    945,
                    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma"
                            + " tau upsilon phi chi psi omega"),
            Map.entry(8194, "ensp emsp"),
            Map.entry(8201, "thinsp"),
            Map.entry(8211, "ndash mdash"),
            Map.entry(8216, "lsquo rsquo sbquo"),
            Map.entry(8220, "ldquo rdquo bdquo"),
            Map.entry(8224, "dagger Dagger bull"),
            Map.entry(8230, "hellip"),
            Map.entry(8240, "permil"),
            Map.entry(8242, "prime Prime"),
            Map.entry(8249, "lsaquo rsaquo"),
            Map.entry(8364, "euro"),
            Map.entry(8482, "trade"),
            Map.entry(8592, "larr uarr rarr darr harr"),
            Map.entry(8722, "minus"),
            Map.entry(8734, "infin"),
            Map.entry(8776, "asymp"),
            Map.entry(8800, "ne"),
            Map.entry(8804, "le ge"));

    private static final Map<String, String> NAMED = named();

    private HtmlEntities() {}

    private static Map<String, String> named() {
        Map<String, String> named = new HashMap<>(Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'"));
        NAMES.forEach((first, names) -> {
            int codePoint = first;
            for (String name : names.split(" ", -1)) {
                named.put(name, Character.toString(codePoint++));
            }
        });
        return Map.copyOf(named);
    }

    /** Unknown names stay as they are. */
    static String decode(String text) {
        Matcher entity = ENTITY.matcher(text);
        StringBuilder out = new StringBuilder();
        while (entity.find()) {
            entity.appendReplacement(out, Matcher.quoteReplacement(decode(entity.group(1), entity.group())));
        }
        return entity.appendTail(out).toString();
    }

    private static String decode(String name, String entity) {
        if (!name.startsWith("#")) {
            return NAMED.getOrDefault(name, entity);
        }
        boolean hexadecimal = name.charAt(1) == 'x' || name.charAt(1) == 'X';
        int codePoint = Integer.parseInt(name.substring(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10);
        boolean text = Character.isValidCodePoint(codePoint) && Character.getType(codePoint) != Character.SURROGATE;
        return text && codePoint > 0 ? Character.toString(codePoint) : " ";
    }
}
