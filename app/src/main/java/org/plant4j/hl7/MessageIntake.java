package org.plant4j.hl7;

import ca.uhn.hl7v2.parser.EncodingCharacters;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.UserError;
import org.plant4j.review.database.DatabaseException;
import org.plant4j.review.worklist.IncomingEncounter;
import org.plant4j.review.worklist.WorklistConflict;
import org.plant4j.support.Sha256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes messages and acknowledges them: AA once their documents are stored, AE if the content cannot be processed, AR if
 * the message cannot be read. A repeated control id of the same sender is acknowledged without storing anything again.
 */
public final class MessageIntake {

    private static final Logger LOG = LoggerFactory.getLogger(MessageIntake.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern TYPE = Pattern.compile("[A-Z0-9]{3}\\^[A-Z0-9]{3}(?![^^])");
    private static final int DIGEST_LENGTH = 24;
    private static final int REMEMBERED_MESSAGES = 10_000;

    private final Consumer<IncomingEncounter> store;
    private final MessageLog log;
    private final int maxLength;
    private final Clock clock;

    /** Digests of accepted messages by sender and control id; after a restart the store recognizes known documents. */
    private final Map<String, String> accepted = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED_MESSAGES;
        }
    };

    /** What is known about a message so far. */
    private static final class Received {
        private MessageHeader header = MessageHeader.NONE;
        private String encounter = "";
    }

    /**
     * Takes messages for a store, such as the worklist, which must accept the same documents repeatedly.
     *
     * @param maxLength characters of the documents of a message together
     */
    public MessageIntake(Consumer<IncomingEncounter> store, MessageLog log, int maxLength, Clock clock) {
        this.store = store;
        this.log = log;
        this.maxLength = maxLength;
        this.clock = clock;
    }

    /** Processes a message from this address and returns its acknowledgment. */
    public byte[] take(byte[] message, String address) {
        return acknowledge(message, address, received -> accept(received, message));
    }

    /** The acknowledgment of a message that is too large; {@code head}: its first bytes. */
    byte[] refuseTooLarge(byte[] head, String address, int maxBytes) {
        return acknowledge(head, address, received -> {
            throw Hl7Error.reject(207, "The message is larger than " + maxBytes + " bytes");
        });
    }

    private byte[] acknowledge(byte[] message, String address, Consumer<Received> work) {
        Received received = new Received();
        String acknowledgment = "AE";
        int status;
        int code = 207;
        String reason;
        try {
            received.header = MessageHeader.read(message);
            work.accept(received);
            LOG.info("HL7 message accepted");
            acknowledgment = "AA";
            status = 200;
            code = 0;
            reason = "";
        } catch (Hl7Error e) {
            LOG.warn("HL7 message refused: {}", e.reason());
            acknowledgment = e.acknowledgment();
            status = acknowledgment.equals("AE") ? 422 : 400;
            code = e.code();
            reason = e.reason();
        } catch (DatabaseException e) {
            LOG.error("HL7 message not stored: review database {}, SQL state {}", e.kind(), e.sqlState());
            status = 503;
            reason = "The review database failed; send the message again later";
        } catch (RuntimeException e) { // its message may quote the document
            LOG.error("HL7 message failed: {}", e.getClass().getName());
            status = 500;
            reason = "Internal error; see the log of the server";
        }
        log.add(address, action(received.header) + " " + acknowledgment, status, identifier(received.encounter));
        return answer(received.header, acknowledgment, code, reason);
    }

    /** The type is text of the sender, which must not get into a log unless it looks like a type. */
    private static String action(MessageHeader header) {
        Matcher type = TYPE.matcher(header.type());
        return type.lookingAt() ? "HL7 " + type.group() : "HL7";
    }

    /** The id, or a digest of one that may be text. */
    private static String identifier(String encounter) {
        return encounter.chars().noneMatch(Character::isWhitespace)
                ? encounter
                : "sha256:" + Sha256.of(encounter).substring(0, DIGEST_LENGTH);
    }

    private void accept(Received received, byte[] message) {
        MessageHeader header = received.header;
        String text = header.decode(message);
        IncomingEncounter encounter = read(header, text);
        received.encounter = encounter.id();
        String sender = header.application() + "|" + header.facility() + "|" + header.controlId();
        String digest = Sha256.of(text.substring(Math.max(0, text.indexOf('\r'))));
        synchronized (accepted) {
            String known = accepted.get(sender);
            if (known != null && !known.equals(digest)) {
                throw Hl7Error.error(205, "The control id in MSH-10 was used for another message");
            }
            if (known == null) {
                add(encounter);
                accepted.put(sender, digest);
            }
        }
    }

    private IncomingEncounter read(MessageHeader header, String text) {
        try {
            IncomingEncounter encounter = DocumentMessage.read(header, text, header.charset());
            long length = encounter.documents().stream()
                    .mapToLong(document -> document.text().length())
                    .sum();
            if (length > maxLength) {
                throw Hl7Error.error(102, "The documents have more than " + maxLength + " characters");
            }
            return encounter;
        } catch (UserError e) {
            throw Hl7Error.error(102, e.what());
        }
    }

    private void add(IncomingEncounter encounter) {
        try {
            store.accept(encounter);
        } catch (WorklistConflict e) {
            throw Hl7Error.error(205, e.what());
        }
    }

    /** The fields of the header were read byte by byte and go back as the same bytes, in the character set of the sender. */
    private byte[] answer(MessageHeader header, String acknowledgment, int code, String reason) {
        String event = header.type().replaceFirst("^[^^]*\\^?([^^]*).*$", "$1");
        String type = event.isEmpty() ? "ACK" : "ACK^" + event + "^ACK";
        String escaped = new TextEscapes(StandardCharsets.US_ASCII)
                .escape(reason.replaceAll("[^ -~]", "?"), new EncodingCharacters('|', "^~\\&"));
        StringBuilder out = new StringBuilder(String.join(
                "|",
                Arrays.asList(
                        "MSH",
                        "^~\\&",
                        header.receivingApplication(),
                        header.receivingFacility(),
                        header.application(),
                        header.facility(),
                        TIME.format(clock.instant()),
                        "",
                        type,
                        UUID.randomUUID().toString().substring(0, 20),
                        "P",
                        header.version().isEmpty() ? "2.5" : header.version(),
                        "",
                        "",
                        "",
                        "",
                        "",
                        header.characterSet())));
        out.append("\rMSA|").append(acknowledgment).append('|').append(header.controlId());
        out.append(reason.isEmpty() ? "" : "|" + escaped).append('\r');
        if (code > 0) {
            out.append("ERR|||")
                    .append(code)
                    .append("^^HL70357|E||||")
                    .append(escaped)
                    .append('\r');
        }
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
