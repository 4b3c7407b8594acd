package org.plant4j.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;

class PreparedCorpusTest {

    private record Listed(String name, List<Document> list) implements Corpus {
        @Override
        public Stream<Document> documents() {
            return list.stream();
        }
    }

    private final Corpus train = new Listed(
            "train",
            List.of(
                    new Document("t1", "Chest pain, chest X-ray", Set.of("R07", "J18")),
                    new Document("t2", "Pain", Set.of("R07"))));
    private final Corpus dev =
            new Listed("dev", List.of(new Document("d1", "fever pain", Set.of("R50", "J18", "A01"))));
    private final Corpus test = new Listed("test", List.of(new Document("e1", "", Set.of("B02", "R50"))));

    @TempDir
    private Path folder;

    @Test
    void everyPartIsStoredWithTheWordsAndCodesOfTraining() {
        prepare(PreparedCorpus.Limits.NONE);
        PreparedCorpus read = PreparedCorpus.open(folder);
        // words by count: chest 2, pain 2, ray 1, x 1; codes: R07 2, J18 1, then as met: A01, R50, B02
        assertThat(read.vocabulary().size()).isEqualTo(6);
        assertThat(read.train().tokens(0)).containsExactly(2, 3, 2, 5, 4);
        assertThat(read.train().labels(0)).containsExactly(0, 1);
        assertThat(read.part("dev").tokens(0)).containsExactly(1, 3);
        assertThat(read.labels().size()).isEqualTo(2);
        assertThat(read.labels().codes()).containsExactly("R07", "J18", "A01", "R50", "B02");
        assertThat(read.part("dev").labels(0)).containsExactly(1, 2, 3);
        assertThat(read.part("test").labels(0)).containsExactly(3, 4);
        assertThat(read.part("test").id(0)).isEqualTo("e1");
        assertThat(read.has("test")).isTrue();
        assertThat(read.has("dev2")).isFalse();
    }

    @Test
    void codesBelowTheLimitAreNotTrainedButStayGold() {
        PreparedCorpus prepared = prepare(new PreparedCorpus.Limits(2, 100, 2));
        assertThat(prepared.vocabulary().size()).isEqualTo(4);
        assertThat(prepared.labels().size()).isEqualTo(1);
        assertThat(prepared.train().labels(0)).containsExactly(0);
        assertThat(prepared.part("dev").labels(0)).containsExactly(1, 2, 3);
    }

    @Test
    void trainingDocumentsWithoutCodesAreAUserError() {
        Corpus bare = new Listed("bare", List.of(new Document("a", "text", Set.of())));
        assertThatThrownBy(() -> PreparedCorpus.prepare(
                        new WordTokenizer(),
                        bare,
                        Map.of(),
                        Optional.empty(),
                        PreparedCorpus.Limits.NONE,
                        folder,
                        Progress.NONE))
                .isInstanceOf(UserError.class);
    }

    private PreparedCorpus prepare(PreparedCorpus.Limits limits) {
        Map<String, Corpus> others = new LinkedHashMap<>();
        others.put("dev", dev);
        others.put("test", test);
        return PreparedCorpus.prepare(
                new WordTokenizer(), train, others, Optional.empty(), limits, folder, Progress.NONE);
    }
}
