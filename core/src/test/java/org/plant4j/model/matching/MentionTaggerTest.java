package org.plant4j.model.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.text.TokenEvidence;

class MentionTaggerTest {

    private static final LooseStems STEMS = new LooseStems(
            new int[] {-1, -1, 0, 1, 2, 3, 4}, List.of("con", "carcinoma", "melanoma", "sin", "fibroma"));

    private static final int CON = 2;
    private static final int CARCINOMA = 3;
    private static final int MELANOMA = 4;
    private static final int SIN = 5;
    private static final int FIBROMA = 6;

    /** Each "carcinoma" and "melanoma" is evidence, unless "sin" is before it. */
    private static AnnotatedDocuments corpus() {
        List<int[]> documents = new ArrayList<>();
        List<List<TokenEvidence>> marks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            documents.add(new int[] {CON, CARCINOMA, SIN, MELANOMA, CON, MELANOMA, SIN, CARCINOMA});
            marks.add(List.of(new TokenEvidence(0, 1, 2), new TokenEvidence(1, 5, 6)));
        }
        return new AnnotatedDocuments(
                documents,
                IntStream.range(0, 20).mapToObj(i -> new int[] {0, 1}).toList(),
                marks);
    }

    private static final int[] ALL = IntStream.range(0, 20).toArray();

    @Test
    void contextAndSuffixTellWhatIsAMention() {
        MentionTagger tagger = MentionTagger.train(STEMS, corpus(), ALL);
        MentionTagger.Tags tags = tagger.tag(new int[] {CON, CARCINOMA, SIN, CARCINOMA, CON, FIBROMA, SIN, FIBROMA});
        assertThat(tags.inside()[1]).isGreaterThan(0.9f);
        assertThat(tags.first()[1]).isGreaterThan(0.9f);
        assertThat(tags.last()[1]).isGreaterThan(0.9f);
        assertThat(tags.inside()[0]).isLessThan(0.1f);
        assertThat(tags.inside()[3]).isLessThan(0.1f);
        assertThat(tags.inside()[5]).isGreaterThan(0.5f); // no training document has it
        assertThat(tags.inside()[7]).isLessThan(0.5f);
    }

    @Test
    void unknownWordsHaveNoAffixes() {
        assertThat(MentionTagger.features(STEMS, new int[] {-1}, 0)).hasSize(13);
        assertThat(MentionTagger.features(STEMS, new int[] {1}, 0)).hasSize(13 + 6);
    }

    @Test
    void trainingIsRepeatable() {
        byte[][] weights = MentionTagger.train(STEMS, corpus(), ALL).weights();
        assertThat(MentionTagger.train(STEMS, corpus(), ALL).weights()).isDeepEqualTo(weights);
    }

    @Test
    void weightsOfAnotherSizeAreRefused() {
        assertThatThrownBy(() -> new MentionTagger(STEMS, new byte[3][5], new float[3]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
