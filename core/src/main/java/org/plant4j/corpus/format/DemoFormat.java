package org.plant4j.corpus.format;

import java.util.Arrays;
import java.util.List;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.DidYouMean;

/** The generated demo corpus, with the subsets train, dev and test. */
final class DemoFormat {

    static final CorpusFormat FORMAT = new CorpusFormat("demo", List.of("sizes"), (path, options, badRows) -> {
        long seed = options.intValue("seed", 0).orElse(1);
        DemoCorpus.Sizes sizes =
                options.find("sizes").map(DemoFormat::parseSizes).orElse(DemoCorpus.Sizes.DEFAULT);
        List<Corpus> splits = Arrays.stream(Split.values())
                .<Corpus>map(split -> new DemoCorpus(split, seed, sizes))
                .toList();
        return new OpenedCorpus(Corpora.concat("demo", splits), name -> new DemoCorpus(parseSplit(name), seed, sizes));
    });

    private DemoFormat() {}

    private static DemoCorpus.Sizes parseSizes(String text) {
        if (!text.matches("[1-9]\\d{0,6}/\\d{1,7}/\\d{1,7}")) {
            throw FormatOptions.invalid(
                    "sizes", text, "the number of documents of train, dev and test, such as 1000/200/200");
        }
        int[] sizes =
                Arrays.stream(text.split("/", -1)).mapToInt(Integer::parseInt).toArray();
        return new DemoCorpus.Sizes(sizes[0], sizes[1], sizes[2]);
    }

    private static Split parseSplit(String name) {
        return Arrays.stream(Split.values())
                .filter(split -> split.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "The demo corpus has no split '" + name + "'",
                        "corpus",
                        DidYouMean.remedy(
                                name,
                                Arrays.stream(Split.values())
                                        .map(Split::toString)
                                        .toList())));
    }
}
