package org.plant4j.hl7;

/** Records which messages arrived, such as an audit log. */
@FunctionalInterface
public interface MessageLog {

    /**
     * Adds a message.
     *
     * @param address the sender's
     * @param action the type of the message and its acknowledgment, such as {@code HL7 MDM^T02 AA}
     * @param status the status that HTTP has for this result
     * @param encounter the id of the encounter, or empty if it was not read
     */
    void add(String address, String action, int status, String encounter);
}
