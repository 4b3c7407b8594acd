package org.plant4j.cli.serve;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.hl7.MessageIntake;
import org.plant4j.hl7.MllpListener;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.access.AuditLog;
import picocli.CommandLine.Option;

/** {@code --hl7}: messages of HL7 version 2, which are added to the worklist. */
final class Hl7Options {

    /** The source of the encounters, and the user in the audit log. */
    private static final String USER = "hl7";

    private static final int MAX_PORT = 65_535;

    /** Bytes of a character that is escaped, and of the segments besides the text. */
    private static final int BYTES_PER_CHARACTER = 6;

    private static final int OVERHEAD_BYTES = 1 << 20;
    private static final int MESSAGE_SECONDS = 20;

    @Option(
            names = "--hl7",
            paramLabel = "PORT",
            description =
                    "Port for HL7 version 2 messages (MLLP) with documents for the worklist; 0 chooses a free one.")
    private Optional<Integer> port = Optional.empty();

    @Option(
            names = "--hl7-host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address for HL7 messages (default: ${DEFAULT-VALUE}). MLLP has no encryption and no"
                    + " passwords: use a tunnel.")
    private String host = "127.0.0.1";

    /** Ends the listening. */
    interface Listening extends AutoCloseable {

        @Override
        void close();
    }

    /** Starts listening, if a port is given; {@code maxLength}: characters of the documents of a message. */
    Listening listen(Worklist worklist, Optional<AuditLog> audit, int maxLength, Consumer<String> notice) {
        if (port.isEmpty()) {
            return () -> {};
        }
        OptionCheck.between(0, MAX_PORT, "--hl7", port.get());
        MllpListener listener = new MllpListener(
                host,
                port.get(),
                new MessageIntake(
                        encounter -> worklist.add(encounter, USER),
                        (address, action, status, encounter) ->
                                audit.ifPresent(log -> log.add(USER, address, action, status, encounter)),
                        maxLength,
                        Clock.systemUTC()),
                BYTES_PER_CHARACTER * maxLength + OVERHEAD_BYTES,
                MESSAGE_SECONDS);
        notice.accept("Listening for HL7 messages on " + host + ":" + listener.port());
        return listener::close;
    }
}
