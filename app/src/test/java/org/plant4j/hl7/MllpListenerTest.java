package org.plant4j.hl7;

import static org.assertj.core.api.Assertions.assertThat;

import ca.uhn.hl7v2.DefaultHapiContext;
import ca.uhn.hl7v2.HL7Exception;
import ca.uhn.hl7v2.app.Connection;
import ca.uhn.hl7v2.llp.LLPException;
import ca.uhn.hl7v2.model.Message;
import ca.uhn.hl7v2.parser.GenericModelClassFactory;
import ca.uhn.hl7v2.util.Terser;
import ca.uhn.hl7v2.validation.impl.ValidationContextFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.SecondReviewRules;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.review.worklist.WorklistEntry;
import org.plant4j.support.Sha256;

/** Messages of a real MLLP client arrive in a real worklist. */
class MllpListenerTest {

    private static final int MAX_BYTES = 100_000;
    private static final String ENCOUNTER = "V42^^^HOSPITAL";
    private static final long SEED = 20260302;

    @TempDir
    Path directory;

    private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
    private Database database;
    private Worklist worklist;
    private MllpListener listener;

    @BeforeEach
    void listen() {
        database = Database.open(Database.SQLITE + directory.resolve("reviews.db"));
        worklist = new Worklist(database, true, SecondReviewRules.NONE, 20_000, Clock.systemUTC());
        listen(new MessageIntake(each -> worklist.add(each, "hl7"), this::log, 20_000, Clock.systemUTC()));
    }

    private void log(String address, String action, int status, String encounter) {
        logged.add(String.join(", ", address, action, String.valueOf(status), encounter));
    }

    private void listen(MessageIntake intake) {
        listener = new MllpListener("127.0.0.1", 0, intake, MAX_BYTES, 5);
    }

    @AfterEach
    void close() {
        listener.close();
        database.close();
    }

    private static String header(String type, String controlId, String characterSet) {
        return "MSH|^~\\&|EHR|HOSPITAL|PLANT|CODING|20260301100000||" + type + "|" + controlId + "|P|2.5.1||||||"
                + characterSet + "\r";
    }

    private static String mdm(String controlId, String documentId, String... observations) {
        return header("MDM^T02^MDM_T02", controlId, "UNICODE UTF-8")
                + "EVN|T02|20260301100000\rPID|1||P17^^^HOSPITAL^MR||DOE^JANE\r"
                + "PV1|1|I|W^1" + "|".repeat(16) + ENCOUNTER + "|".repeat(26) + "20260228\r"
                + "TXA|1|DS|TX|20260301||||||||" + documentId + "|||||AU||AV\r" + String.join("", observations);
    }

    private static String obx(String type, String value) {
        return "OBX|1|" + type + "|11490-0^Discharge summary||" + value + "||||||F\r";
    }

    private Message exchange(String message) throws HL7Exception, LLPException, IOException {
        try (DefaultHapiContext context = new DefaultHapiContext(new GenericModelClassFactory())) {
            context.setValidationContext(ValidationContextFactory.noValidation());
            Connection connection = context.newClient("127.0.0.1", listener.port(), false);
            try {
                return connection
                        .getInitiator()
                        .sendAndReceive(context.getPipeParser().parse(message));
            } finally {
                connection.close();
            }
        }
    }

    private String acknowledgment(String message) throws HL7Exception, LLPException, IOException {
        Terser answer = new Terser(exchange(message));
        return answer.get("MSA-1") + " " + answer.get("MSA-2") + " "
                + Optional.ofNullable(answer.get("MSA-3")).orElse("");
    }

    /** Sends bytes as they are and returns the acknowledgment. */
    private byte[] rawBytes(byte[] message) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout(15_000);
            OutputStream out = socket.getOutputStream();
            out.write(0x0B);
            out.write(message);
            out.write(new byte[] {0x1C, 0x0D});
            out.flush();
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes();
        }
    }

    private String raw(String message, Charset charset) throws IOException {
        return new String(rawBytes(message.getBytes(charset)), StandardCharsets.UTF_8);
    }

    private String text() {
        return worklist.documents(ENCOUNTER).get(0).text();
    }

    @Test
    void aTranscribedDocumentArrivesWithItsIds() throws Exception {
        String message = mdm(
                "M1",
                "DOC7^TRANSCRIPTION",
                obx("TX", "Admitted with gout.~Discharged home."),
                obx("FT", "BP 160/95\\.br\\a \\T\\ b"));
        assertThat(acknowledgment(message)).isEqualTo("AA M1 ");
        assertThat(worklist.documents(ENCOUNTER))
                .containsExactly(
                        new SourceDocument("DOC7", "DS", "Admitted with gout.\nDischarged home.\nBP 160/95\na & b"));
        WorklistEntry entry = worklist.find(ENCOUNTER).orElseThrow();
        assertThat(entry.origin().source()).isEqualTo("hl7");
        assertThat(entry.origin().date()).contains(LocalDate.of(2026, 2, 28));
    }

    @Test
    void theReportsOfAResultArriveAsDocuments() throws Exception {
        String message = header("ORU^R01^ORU_R01", "R1", "")
                + "PID|1||P17||DOE^JANE" + "|".repeat(13) + "A99\r"
                + "OBR|1|PL1|F1^RIS|71046^Chest X-ray\rOBX|1|TX|A||No pneumonia.||||||F\rNTE|1||x\rOBX|2|TX|A||Heart enlarged.||||||F\r"
                + "OBX|3|NM|B||7|mm\r"
                + "OBR|2||F2|70450^CT head\rOBX|1|FT|A||Normal.||||||F\r";
        assertThat(acknowledgment(message)).isEqualTo("AA R1 ");
        assertThat(worklist.documents("A99"))
                .containsExactly(
                        new SourceDocument("F1", "Chest X-ray", "No pneumonia.\nHeart enlarged."),
                        new SourceDocument("F2", "CT head", "Normal."));
    }

    @Test
    void aRepeatedMessageIsStoredOnce() throws Exception {
        String message = mdm("M1", "DOC7", obx("TX", "Gout."));
        assertThat(acknowledgment(message)).startsWith("AA M1");
        assertThat(acknowledgment(message)).startsWith("AA M1");
        assertThat(acknowledgment(mdm("M1", "DOC8", obx("TX", "Asthma."))))
                .isEqualTo("AE M1 The control id in MSH-10 was used for another message");
        listener.close();
        listen(new MessageIntake(each -> worklist.add(each, "hl7"), this::log, 20_000, Clock.systemUTC()));
        assertThat(acknowledgment(message)).as("after a restart").startsWith("AA M1");
        assertThat(acknowledgment(mdm("M2", "DOC7", obx("TX", "Another text."))))
                .startsWith("AE M2 ");
        assertThat(worklist.documents(ENCOUNTER)).hasSize(1);
        assertThat(acknowledgment(mdm("M3", "DOC9", obx("TX", "An addendum.")))).startsWith("AA M3");
        assertThat(worklist.documents(ENCOUNTER)).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"8859/1, ISO-8859-1", "8859/15, ISO-8859-15", "UNICODE UTF-8, UTF-8", "'', UTF-8"})
    void theCharacterSetIsThatOfTheHeader(String name, String charset) throws IOException {
        String message = mdm("M1", "D", obx("TX", "Diagnóstico: Müller")).replace("UNICODE UTF-8", name);
        assertThat(raw(message, Charset.forName(charset))).contains("MSA|AA|M1");
        assertThat(text()).isEqualTo("Diagnóstico: Müller");
    }

    @Test
    void wrongAndUnknownCharacterSetsAreRejected() throws IOException {
        String message = mdm("M1", "D", obx("TX", "Diagnóstico"));
        assertThat(raw(message, StandardCharsets.ISO_8859_1)).contains("MSA|AR|M1|", "not in UTF-8");
        assertThat(raw(message.replace("UNICODE UTF-8", ""), StandardCharsets.ISO_8859_1))
                .contains("MSA|AR|M1|", "MSH-18");
        assertThat(raw(message.replace("UNICODE UTF-8", "ISO IR87"), StandardCharsets.UTF_8))
                .contains("MSA|AR|M1|", "MSH-18");
        assertThat(worklist.find(ENCOUNTER)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a\\.br\\b, 'a\nb'",
        "a\\.sp2\\b, 'a\n\nb'",
        "a\\.sk3\\b, 'a   b'",
        "\\H\\bold\\N\\ text, bold text",
        "\\F\\\\S\\\\T\\\\R\\\\E\\, '|^&~\\'",
        "\\E\\.br\\E\\ stays, '\\.br\\ stays'",
        "\\XC3B3\\ and \\X41\\, ó and A",
        "\\Zunknown\\ stays, '\\Zunknown\\ stays'",
        "5 \\ 6 stays, '5 \\ 6 stays'",
        "a^b&c, a^b&c"
    })
    void escapesBecomeText(String escaped, String text) throws IOException {
        String message = mdm("M1", "D", obx("FT", "Gout. " + escaped));
        assertThat(raw(message, StandardCharsets.UTF_8)).contains("MSA|AA|M1");
        assertThat(text()).isEqualTo("Gout. " + text.replace("\\n", "\n"));
    }

    @Test
    void encapsulatedTextIsReadAndOtherDataIsNot() throws IOException {
        String plain = mdm("M1", "D", obx("ED", "SRC^TEXT^PLAIN^Base64^R291dC4="));
        assertThat(raw(plain, StandardCharsets.UTF_8)).contains("MSA|AA|M1");
        assertThat(text()).isEqualTo("Gout.");
        String pdf = mdm("M2", "E", obx("ED", "SRC^AP^PDF^Base64^R291dC4="));
        assertThat(raw(pdf, StandardCharsets.UTF_8)).contains("MSA|AE|M2|The message has no text");
    }

    @ParameterizedTest
    @CsvSource({
        "SRC^TEXT^PLAIN^A^a&b^c, a&b^c",
        "SRC^TEXT^^^a \\T\\ b, a & b",
        "SRC^TEXT^PLAIN^Hex^476F7574, Gout",
        "SRC^TEXT^PLAIN^base64^R291\\.br\\dA==, Gout"
    })
    void encapsulatedTextIsWhole(String value, String text) throws IOException {
        assertThat(raw(mdm("M1", "D", obx("ED", value)), StandardCharsets.UTF_8))
                .contains("MSA|AA|M1");
        assertThat(text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "SRC^TEXT^PLAIN^quoted-printable^Gout, Base64 or Hex",
        "SRC^TEXT^PLAIN^Base64^R291&dA==, Base64 or Hex",
        "SRC^TEXT^PLAIN^Hex^4, Base64 or Hex",
        "SRC^TEXT^PLAIN^Base64^8w==, UTF-8",
        "SRC^TEXT^PLAIN^A^Gout~and asthma, repetition"
    })
    void encapsulatedTextThatCannotBeReadWholeIsRefused(String value, String reason) throws IOException {
        assertThat(raw(mdm("M1", "D", obx("ED", value)), StandardCharsets.UTF_8))
                .contains("MSA|AE|M1|", reason);
        assertThat(worklist.find(ENCOUNTER)).isEmpty();
    }

    @Test
    void escapedBytesAreInTheCharacterSetOfTheMessage() throws IOException {
        String message =
                mdm("M1", "D", obx("FT", "Diagn\\XF3\\stico, \\XC3B3\\")).replace("UNICODE UTF-8", "8859/1");
        assertThat(raw(message, StandardCharsets.ISO_8859_1)).contains("MSA|AA|M1");
        assertThat(text()).isEqualTo("Diagnóstico, Ã³");
    }

    @Test
    void aLineFeedInATextIsPartOfIt() throws IOException {
        String message = mdm("M1", "D", obx("TX", "Admitted.\nNo\nDischarged."));
        assertThat(raw(message, StandardCharsets.UTF_8)).contains("MSA|AA|M1");
        assertThat(text()).isEqualTo("Admitted.\nNo\nDischarged.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void segmentsMayEndWithALineFeed(String end) throws IOException {
        String message = mdm("M1", "D", obx("TX", "Gout."), obx("TX", "Asthma."));
        assertThat(raw(message.replace("\r", end), StandardCharsets.UTF_8)).contains("MSA|AA|M1");
        assertThat(text()).isEqualTo("Gout.\nAsthma.");
    }

    @ParameterizedTest
    @CsvSource({
        "V42^^^HOSPITAL, A99, V42^^^HOSPITAL",
        "V42, A99, V42",
        "V42^^^&1.2.3&ISO, A99, V42^^^1.2.3",
        "'', A99, A99",
        "'', A99^^^BILLING, A99^^^BILLING"
    })
    void theEncounterIsTheVisitOrElseTheAccount(String visit, String account, String id) throws IOException {
        String message = mdm("M1", "D", obx("TX", "Gout."))
                .replace(ENCOUNTER, visit)
                .replace("DOE^JANE", "DOE^JANE" + "|".repeat(13) + account);
        assertThat(raw(message, StandardCharsets.UTF_8)).contains("MSA|AA|M1");
        assertThat(worklist.find(id)).isPresent();
    }

    @Test
    @Timeout(60)
    void theTimeOfAMessageGrowsWithItsLengthOnly() {
        MessageIntake intake = new MessageIntake(each -> {}, this::log, 10_000_000, Clock.systemUTC());
        String segments = mdm("M1", "D", obx("TX", "Gout.").repeat(9_000));
        String documents = mdm("M2", "D", ("OBR|1\r" + obx("TX", "Gout.")).repeat(4_000));
        String separators = mdm("M3", "D", obx("TX", "a^&b~".repeat(3_000)).repeat(100));
        for (String message : List.of(segments, documents, separators)) {
            assertThat(new String(intake.take(message.getBytes(StandardCharsets.UTF_8), ""), StandardCharsets.UTF_8))
                    .contains("MSA|AA|");
        }
    }

    @Test
    void whatCannotBeTakenIsRefusedWithTheReason() throws IOException {
        String good = mdm("M1", "D", obx("TX", "Secretword."));
        for (List<String> each : List.of(
                List.of("T02", "T08", "AR", "Only MDM^T02", "201^^HL70357"),
                List.of("MDM^T02^MDM_T02", "ADT^A01", "AR", "Only MDM^T02", "200^^HL70357"),
                List.of("|M1|", "||", "AR", "MSH-10", "101^^HL70357"),
                List.of("V42^^^HOSPITAL", "", "AE", "PV1-19", "101^^HL70357"),
                List.of("|AV", "|OB", "AE", "TXA-19", "103^^HL70357"),
                List.of("||||||F", "||||||D", "AE", "OBX-11", "103^^HL70357"),
                List.of("Secretword.", "12 34", "AE", "no letters", "102^^HL70357"),
                List.of("Secretword.", "Secretword. ".repeat(2000), "AE", "20000 characters", "102^^HL70357"),
                List.of("20260228", "20261328", "AE", "PV1-45", "102^^HL70357"),
                List.of("2.5.1", "9.9", "AR", "MSH-12", "203^^HL70357"),
                List.of("Secretword.", "Secretword. \\XF3\\", "AE", "not in UTF-8", "102^^HL70357"),
                List.of("TXA|", "PID|2||P18\rTXA|", "AE", "second PID", "103^^HL70357"),
                List.of("TXA|", "PV1|2\rTXA|", "AE", "second PV1", "103^^HL70357"),
                List.of("Secretword.", "Secretword.\rAnd more", "AR", "not a segment", "100^^HL70357"),
                List.of("Secretword.", "Secretword.\rOK", "AR", "not a segment", "100^^HL70357"),
                List.of("Secretword.", "Secretword.\rECG normal", "AR", "not a segment", "100^^HL70357"),
                List.of("TXA|", "NTE|1\r".repeat(10_000) + "TXA|", "AR", "10000 segments", "100^^HL70357"),
                List.of("Secretword.", "Secretword." + "^a".repeat(10_000), "AR", "separators", "100^^HL70357"),
                List.of("|^~\\&|", "|^~^&|", "AR", "MSH-2", "100^^HL70357"))) {
            String answer = raw(good.replace(each.get(0), each.get(1)), StandardCharsets.UTF_8);
            assertThat(answer)
                    .as(each.toString())
                    .contains("MSA|" + each.get(2) + "|", each.get(3).replace("^", "\\S\\"), each.get(4))
                    .doesNotContain("Secretword");
        }
        assertThat(worklist.find(ENCOUNTER)).isEmpty();
    }

    @Test
    void aMessageThatIsTooLargeIsRejected() throws IOException {
        String answer = raw(mdm("M1", "D", obx("TX", "word ".repeat(MAX_BYTES / 4))), StandardCharsets.UTF_8);
        assertThat(answer).contains("MSA|AR|M1|The message is larger than 100000 bytes");
    }

    @Test
    void theSenderOfAMessageThatIsMuchTooLargeGetsTheAnswer() throws IOException {
        String answer = raw(mdm("M1", "D", obx("TX", "word ".repeat(4_000_000))), StandardCharsets.UTF_8);
        assertThat(answer).contains("MSA|AR|M1|The message is larger than 100000 bytes");
    }

    @ParameterizedTest
    @CsvSource({"8859/1, ISO-8859-1", "UNICODE UTF-8, UTF-8", "'', UTF-8"})
    void theControlIdGoesBackAsItCame(String name, String charset) throws IOException {
        String message = mdm("Mü1", "D", obx("TX", "Gout.")).replace("UNICODE UTF-8", name);
        byte[] answer = rawBytes(message.getBytes(Charset.forName(charset)));
        assertThat(new String(answer, Charset.forName(charset))).contains("|P|2.5.1||||||" + name + "\rMSA|AA|Mü1\r");
    }

    @Test
    void everyMessageIsLoggedWithoutText() throws IOException {
        String good = mdm("M1", "D", obx("TX", "Gout."));
        raw(good, StandardCharsets.UTF_8);
        raw(good.replace("Gout.", "Asthma."), StandardCharsets.UTF_8);
        raw(good.replace("|M1|", "|M2|").replace(ENCOUNTER, "JANE DOE"), StandardCharsets.UTF_8);
        raw(good.replace("MDM^T02^MDM_T02", "ADT^A01"), StandardCharsets.UTF_8);
        raw(good.replace("MDM^T02^MDM_T02", "DOE^JANE"), StandardCharsets.UTF_8);
        raw(mdm("M1", "D", obx("TX", "word ".repeat(MAX_BYTES / 4))), StandardCharsets.UTF_8);
        assertThat(logged)
                .containsExactly(
                        "127.0.0.1, HL7 MDM^T02 AA, 200, V42^^^HOSPITAL",
                        "127.0.0.1, HL7 MDM^T02 AE, 422, V42^^^HOSPITAL",
                        "127.0.0.1, HL7 MDM^T02 AA, 200, sha256:"
                                + Sha256.of("JANE DOE").substring(0, 24),
                        "127.0.0.1, HL7 ADT^A01 AR, 400, ",
                        "127.0.0.1, HL7 AR, 400, ",
                        "127.0.0.1, HL7 MDM^T02 AR, 400, ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "nonsense", "MSH", "MSH|", "MSH|^~\\&|", "MSH|^~\\&|||||||MDM^T02|1|P|2.5", "\r\r", "PID|1"})
    void malformedMessagesAreAnswered(String message) throws IOException {
        assertThat(raw(message, StandardCharsets.UTF_8)).matches("(?s).*MSA\\|A[ER]\\|.*");
    }

    @Test
    void randomChangesNeverStopTheListener() throws Exception {
        byte[] good = mdm("M1", "D", obx("FT", "Gout \\.br\\ and asthma.")).getBytes(StandardCharsets.UTF_8);
        Random random = new Random(SEED);
        MessageIntake intake = new MessageIntake(each -> {}, this::log, 20_000, Clock.systemUTC());
        for (int i = 0; i < 3000; i++) {
            byte[] changed = good.clone();
            for (int n = 1 + random.nextInt(8); n > 0; n--) {
                changed[random.nextInt(changed.length)] = random.nextBoolean()
                        ? (byte) random.nextInt(256)
                        : (byte) "|^~\\&\r\nOX5".charAt(random.nextInt(10));
            }
            assertThat(new String(intake.take(changed, ""), StandardCharsets.UTF_8))
                    .as("seed " + SEED + ", message " + i)
                    .matches("(?s)MSH\\|.*MSA\\|A[AER]\\|.*")
                    .doesNotContain("Internal error");
        }
        assertThat(acknowledgment(new String(good, StandardCharsets.UTF_8))).startsWith("AA");
    }

    @Test
    void fewMessagesAreProcessedAtOnce() throws Exception {
        CountDownLatch fifth = new CountDownLatch(5);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        listener.close();
        listen(new MessageIntake(
                each -> {},
                (address, action, status, encounter) -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    fifth.countDown();
                    try {
                        fifth.await(500, TimeUnit.MILLISECONDS); // would end early if five were processed at once
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    now.decrementAndGet();
                },
                20_000,
                Clock.systemUTC()));
        List<CompletableFuture<String>> answers = new ArrayList<>();
        ExecutorService senders = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 8; i++) {
                String message = mdm("M" + i, "D", obx("TX", "Gout."));
                answers.add(CompletableFuture.supplyAsync(() -> sent(message), senders));
            }
            assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).contains("MSA|AA|"));
        } finally {
            senders.shutdown();
        }
        assertThat(most).hasValue(4);
    }

    private String sent(String message) {
        try {
            return raw(message, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anythingButMllpIsDisconnected() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout(15_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        } catch (java.net.SocketException reset) {
            assertThat(reset).isNotNull(); // closed with unread bytes
        }
    }
}
