package org.plant4j.server.worklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.database.Database;
import org.plant4j.review.worklist.SecondReviewRules;
import org.plant4j.review.worklist.Worklist;

class InboxTest {

    @TempDir
    Path directory;

    private Path folder;
    private Database database;
    private Worklist worklist;
    private Inbox inbox;

    @BeforeEach
    void open() {
        folder = directory.resolve("inbox");
        database = Database.open(Database.SQLITE + directory.resolve("reviews.db"));
        worklist = new Worklist(database, true, SecondReviewRules.NONE, 20_000, Clock.systemUTC());
        inbox = Inbox.of(folder, worklist, 1000, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        inbox.close();
        database.close();
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }

    private void pollTwice() throws IOException {
        inbox.poll();
        inbox.poll();
    }

    @Test
    void aTextFileIsAnEncounterNamedAfterIt() throws IOException {
        write("enc-17.txt", "Heart failure.");
        pollTwice();
        assertThat(worklist.documents("enc-17"))
                .containsExactly(new SourceDocument("enc-17.txt", "enc-17.txt", "Heart failure."));
        assertThat(folder.resolve("enc-17.txt")).doesNotExist();
        assertThat(folder.resolve("done/enc-17.txt")).hasContent("Heart failure.");
    }

    @Test
    void aJsonFileMayHaveSeveralDocuments() throws IOException {
        write("x.json", """
                {"id": "enc-18", "documents": [{"id": "a", "text": "Gout."}, {"id": "b", "text": "Fever."}]}
                """);
        pollTwice();
        assertThat(worklist.documents("enc-18")).extracting(SourceDocument::id).containsExactly("a", "b");
        assertThat(folder.resolve("done/x.json")).exists();
    }

    @Test
    void aFileThatStillGrowsIsNotTaken() throws IOException {
        write("a.txt", "Heart");
        inbox.poll();
        write("a.txt", "Heart failure.");
        inbox.poll();
        assertThat(worklist.find("a")).isEmpty();
        inbox.poll();
        assertThat(worklist.documents("a")).extracting(SourceDocument::text).containsExactly("Heart failure.");
    }

    @Test
    void aBadFileFailsWithAReasonThatDoesNotQuoteIt() throws IOException {
        write("bad.json", "{\"id\": \"1\", \"documents\": [{\"text\": \"Secret gout\", }");
        write("empty.txt", " ");
        write("long.txt", "Gout ".repeat(300));
        Files.write(folder.resolve("latin.txt"), new byte[] {'g', (byte) 0xfc});
        pollTwice();
        assertThat(folder.resolve("failed/bad.json.reason"))
                .content()
                .contains("JSON")
                .doesNotContain("gout");
        assertThat(folder.resolve("failed/empty.txt.reason")).content().contains("no letters");
        assertThat(folder.resolve("failed/long.txt.reason")).content().contains("more than 1000");
        assertThat(folder.resolve("failed/latin.txt.reason")).content().contains("UTF-8");
        assertThat(folder.resolve("failed/latin.txt")).exists();
    }

    @Test
    void aFileThatWasAddedBeforeACrashIsTakenAgainAndAddsNothing() throws IOException {
        write("a.txt", "Heart failure.");
        pollTwice();
        Files.move(folder.resolve("done/a.txt"), folder.resolve("a.txt")); // as if it had not been moved
        pollTwice();
        assertThat(worklist.documents("a")).hasSize(1);
        assertThat(folder.resolve("done/a.txt")).exists();
    }

    @Test
    void theSameNameWithAnotherTextFailsAndReplacesNothing() throws IOException {
        write("a.txt", "Heart failure.");
        pollTwice();
        write("a.txt", "No heart failure.");
        pollTwice();
        assertThat(worklist.documents("a")).extracting(SourceDocument::text).containsExactly("Heart failure.");
        assertThat(folder.resolve("failed/a.txt.reason")).content().contains("another text");
        write("a.txt", "Heart failure.");
        pollTwice();
        try (var files = Files.list(folder.resolve("done"))) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void otherFilesStay() throws IOException {
        write("a.pdf", "x");
        write(".hidden.txt", "x");
        pollTwice();
        assertThat(folder.resolve("a.pdf")).exists();
        assertThat(folder.resolve(".hidden.txt")).exists();
    }
}
