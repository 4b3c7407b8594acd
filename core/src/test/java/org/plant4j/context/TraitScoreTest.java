package org.plant4j.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.plant4j.Document;
import org.plant4j.Span;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.AnnotatedSummary;
import org.plant4j.corpus.demo.AnnotatedSummary.Context;
import org.plant4j.corpus.demo.AnnotatedSummary.Mention;
import org.plant4j.corpus.demo.DemoCorpus;

class TraitScoreTest {

    @Test
    void countsTheTraitsOfMentionsByContext() {
        AnnotatedSummary summary = new AnnotatedSummary(
                new Document("1", "He has gout. There was no sepsis. Mother with asthma. No fever.", Set.of("M10")),
                List.of(
                        new Mention(new Span(7, 11), Context.PRESENT),
                        new Mention(new Span(26, 32), Context.RULED_OUT),
                        new Mention(new Span(46, 52), Context.RELATIVE),
                        new Mention(new Span(57, 62), Context.PRESENT)));
        assertThat(TraitScore.of(Stream.of(summary)))
                .containsExactly(
                        new TraitScore(Context.PRESENT, 2, 1, 0, 0, 1),
                        new TraitScore(Context.RULED_OUT, 1, 1, 0, 0, 1),
                        new TraitScore(Context.RELATIVE, 1, 0, 1, 0, 1));
    }

    @Test
    void theDemoCorpusKnowsItsMentions() {
        DemoCorpus corpus = new DemoCorpus(Split.DEV, 1, new DemoCorpus.Sizes(1, 20, 0));
        assertThat(corpus.summaries().map(AnnotatedSummary::document))
                .containsExactlyElementsOf(corpus.documents().toList());
        assertThat(TraitScore.of(corpus.summaries()))
                .extracting(TraitScore::context)
                .contains(Context.PRESENT, Context.RULED_OUT, Context.RELATIVE);
    }
}
