package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.TextFiles;
import org.plant4j.corpus.codeset.CodeField;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/** The formats a corpus may have, by the name that configs use, each with its options: a new reader is added here. */
public enum Format {
    CSV {
        @Override
        List<String> optionNames() {
            return List.of("system", "uncoded");
        }

        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            CodeField codes = codes(options);
            return Subsets.paths(path, file -> new CsvCorpus(file, codes, badRows));
        }
    },
    JSONL {
        @Override
        List<String> optionNames() {
            return List.of("system", "uncoded");
        }

        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            CodeField codes = codes(options);
            return Subsets.paths(path, file -> new JsonLinesCorpus(file, codes, badRows));
        }
    },
    CANTEMIST {
        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            return Subsets.paths(path, folder -> new CantemistCorpus(folder, badRows));
        }
    },
    CODIESP {
        @Override
        List<String> optionNames() {
            return List.of("codes", "language");
        }

        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            CodiespCorpus.CodeKind kind =
                    options.enumValue("codes", CodiespCorpus.CodeKind.class).orElse(CodiespCorpus.CodeKind.D);
            CodiespCorpus.Language language =
                    options.enumValue("language", CodiespCorpus.Language.class).orElse(CodiespCorpus.Language.ES);
            return Subsets.paths(path, folder -> new CodiespCorpus(folder, kind, language, badRows));
        }
    },
    MIMIC3 {
        @Override
        List<String> optionNames() {
            return List.of("ids", "code_list", "top", "minimum");
        }

        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            Optional<Integer> top = options.intValue("top", 1);
            int minimum = options.intValue("minimum", 1).orElse(1);
            Mimic3Corpus whole =
                    Mimic3Corpus.open(new Mimic3Corpus.Settings(path, codeList(options), top, minimum), badRows);
            return new Subsets(whole, part -> {
                Path folder =
                        Path.of(required(options, "ids", "the folder of {train,dev,test}_{full,50}_hadm_ids.csv"));
                String size = top.map(String::valueOf).orElse("full");
                return whole.subset(part, TextFiles.resolve(folder, part + "_" + size + "_hadm_ids.csv"));
            });
        }
    },
    MIMIC4 {
        @Override
        List<String> optionNames() {
            return List.of("splits", "icd", "code_list", "top", "minimum");
        }

        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            int icd = options.intValue("icd", 9).orElse(10);
            if (icd > 10) {
                throw FormatOptions.invalid("icd", String.valueOf(icd), "9 or 10");
            }
            int minimum = options.intValue("minimum", 1).orElse(10);
            Mimic4Corpus whole = Mimic4Corpus.open(
                    new Mimic4Corpus.Settings(path, icd, codeList(options), options.intValue("top", 1), minimum),
                    badRows);
            return new Subsets(
                    whole,
                    part -> whole.subset(
                            part, Path.of(required(options, "splits", "a CSV file with the columns _id and split"))));
        }
    },
    TEXT {
        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            return Subsets.paths(path, folder -> new TextDirectoryCorpus(folder, badRows));
        }
    },
    DEMO {
        @Override
        List<String> optionNames() {
            return List.of("sizes");
        }

        @Override
        Subsets open(Path path, FormatOptions options, BadRowHandler badRows) {
            long seed = options.intValue("seed", 0).orElse(1);
            DemoCorpus.Sizes sizes = options.find("sizes").map(this::sizes).orElse(DemoCorpus.Sizes.DEFAULT);
            return new Subsets(
                    Corpora.concat(
                            "demo",
                            Arrays.stream(DemoCorpus.Part.values())
                                    .<Corpus>map(part -> new DemoCorpus(part, seed, sizes))
                                    .toList()),
                    name -> new DemoCorpus(part(name), seed, sizes));
        }

        /** Documents of train, dev and test, such as {@code 1000/200/200}. */
        private DemoCorpus.Sizes sizes(String written) {
            if (!written.matches("[1-9]\\d{0,6}/\\d{1,7}/\\d{1,7}")) {
                throw FormatOptions.invalid("sizes", written, "documents of train, dev and test, such as 1000/200/200");
            }
            int[] sizes = Arrays.stream(written.split("/", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new DemoCorpus.Sizes(sizes[0], sizes[1], sizes[2]);
        }

        private DemoCorpus.Part part(String name) {
            List<String> known = List.of("train", "dev", "test");
            if (!known.contains(name)) {
                throw new UserError("The demo has no part '" + name + "'", "corpus", DidYouMean.remedy(name, known));
            }
            return DemoCorpus.Part.valueOf(name.toUpperCase(Locale.ROOT));
        }
    };

    /** An opened format: the corpus as a whole, and its parts by name. */
    public record Subsets(Corpus whole, Function<String, Corpus> subset) {

        /** For formats where a part is a file or folder under the path. */
        static Subsets paths(Path path, Function<Path, Corpus> reader) {
            return new Subsets(reader.apply(path), name -> reader.apply(path.resolve(name)));
        }
    }

    private static final List<String> SPLITTING = List.of("fractions", "seed");

    /** The options of this format alone. */
    List<String> optionNames() {
        return List.of();
    }

    abstract Subsets open(Path path, FormatOptions options, BadRowHandler badRows);

    /** Opens with options that this format knows; those of splitting go with every format. */
    final Subsets open(Path path, Map<String, String> options, BadRowHandler badRows) {
        return open(path, options(options), badRows);
    }

    final FormatOptions options(Map<String, String> values) {
        return new FormatOptions(
                values,
                Stream.concat(optionNames().stream(), SPLITTING.stream()).toList());
    }

    static Format named(String name) {
        List<String> known = names();
        int index = known.indexOf(name);
        if (index < 0) {
            throw new UserError("Unknown corpus format '" + name + "'", "format", DidYouMean.remedy(name, known));
        }
        return values()[index];
    }

    static List<String> names() {
        return Arrays.stream(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static CodeField codes(FormatOptions options) {
        boolean uncoded = options.enumValue("uncoded", Uncoded.class).orElse(Uncoded.FAIL) == Uncoded.KEEP;
        return new CodeField(options.enumValue("system", CodeSystem.class), !uncoded);
    }

    private static Optional<Path> codeList(FormatOptions options) {
        return options.find("code_list").map(Path::of);
    }

    private static String required(FormatOptions options, String key, String what) {
        return options.find(key)
                .orElseThrow(() -> new UserError("Option '" + key + "' is missing", "options." + key, "name " + what));
    }

    /** What is done with a document without codes. */
    private enum Uncoded {
        FAIL,
        KEEP
    }
}
