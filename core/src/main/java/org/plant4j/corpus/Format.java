package org.plant4j.corpus;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.Nearest;
import org.plant4j.UserError;
import org.plant4j.corpus.demo.DemoCorpus;

/** The formats a corpus may have, by the name that configs use, each with its options: a new reader is added here. */
enum Format {
    CSV {
        @Override
        List<String> known() {
            return List.of("system", "uncoded");
        }

        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            CodeField codes = codes(options);
            return Parts.paths(path, file -> new CsvCorpus(file, codes, badRows));
        }
    },
    JSONL {
        @Override
        List<String> known() {
            return List.of("system", "uncoded");
        }

        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            CodeField codes = codes(options);
            return Parts.paths(path, file -> new JsonLinesCorpus(file, codes, badRows));
        }
    },
    CANTEMIST {
        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            return Parts.paths(path, folder -> new CantemistCorpus(folder, badRows));
        }
    },
    CODIESP {
        @Override
        List<String> known() {
            return List.of("codes", "language");
        }

        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            CodiespCorpus.Kind kind =
                    options.choice("codes", CodiespCorpus.Kind.class).orElse(CodiespCorpus.Kind.D);
            CodiespCorpus.Language language =
                    options.choice("language", CodiespCorpus.Language.class).orElse(CodiespCorpus.Language.ES);
            return Parts.paths(path, folder -> new CodiespCorpus(folder, kind, language, badRows));
        }
    },
    MIMIC3 {
        @Override
        List<String> known() {
            return List.of("ids", "code_list", "top", "minimum");
        }

        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            Optional<Integer> top = options.number("top", 1);
            int minimum = options.number("minimum", 1).orElse(1);
            Mimic3Corpus whole =
                    Mimic3Corpus.open(new Mimic3Corpus.Layout(path, codeList(options), top, minimum), badRows);
            return new Parts(whole, part -> {
                Path folder = Path.of(needed(options, "ids", "the folder of {train,dev,test}_{full,50}_hadm_ids.csv"));
                String size = top.map(String::valueOf).orElse("full");
                return whole.only(part, TextFiles.in(folder, part + "_" + size + "_hadm_ids.csv"));
            });
        }
    },
    MIMIC4 {
        @Override
        List<String> known() {
            return List.of("splits", "icd", "code_list", "top", "minimum");
        }

        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            int icd = options.number("icd", 9).orElse(10);
            if (icd > 10) {
                throw Options.wrong("icd", String.valueOf(icd), "9 or 10");
            }
            int minimum = options.number("minimum", 1).orElse(10);
            Mimic4Corpus whole = Mimic4Corpus.open(
                    new Mimic4Corpus.Layout(path, icd, codeList(options), options.number("top", 1), minimum), badRows);
            return new Parts(
                    whole,
                    part -> whole.only(
                            part, Path.of(needed(options, "splits", "a CSV file with the columns _id and split"))));
        }
    },
    TEXT {
        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            return Parts.paths(path, folder -> new TextFolderCorpus(folder, badRows));
        }
    },
    DEMO {
        @Override
        List<String> known() {
            return List.of("sizes");
        }

        @Override
        Parts open(Path path, Options options, BadRows badRows) {
            long seed = options.number("seed", 0).orElse(1);
            DemoCorpus.Sizes sizes = options.find("sizes").map(this::sizes).orElse(DemoCorpus.Sizes.DEFAULT);
            return new Parts(
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
                throw Options.wrong("sizes", written, "documents of train, dev and test, such as 1000/200/200");
            }
            int[] sizes = Arrays.stream(written.split("/", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new DemoCorpus.Sizes(sizes[0], sizes[1], sizes[2]);
        }

        private DemoCorpus.Part part(String name) {
            List<String> known = List.of("train", "dev", "test");
            if (!known.contains(name)) {
                throw new UserError("The demo has no part '" + name + "'", "corpus", Nearest.remedy(name, known));
            }
            return DemoCorpus.Part.valueOf(name.toUpperCase(Locale.ROOT));
        }
    };

    /** An opened format: the corpus as a whole, and its parts by name. */
    record Parts(Corpus whole, Function<String, Corpus> part) {

        /** For formats where a part is a file or folder under the path. */
        static Parts paths(Path path, Function<Path, Corpus> reader) {
            return new Parts(reader.apply(path), name -> reader.apply(path.resolve(name)));
        }
    }

    private static final List<String> SPLITTING = List.of("fractions", "seed");

    /** The options of this format alone. */
    List<String> known() {
        return List.of();
    }

    abstract Parts open(Path path, Options options, BadRows badRows);

    /** Opens with options that this format knows; those of splitting go with every format. */
    final Parts open(Path path, Map<String, String> options, BadRows badRows) {
        return open(path, options(options), badRows);
    }

    final Options options(Map<String, String> values) {
        return new Options(
                values, Stream.concat(known().stream(), SPLITTING.stream()).toList());
    }

    static Format named(String name) {
        List<String> known = names();
        int index = known.indexOf(name);
        if (index < 0) {
            throw new UserError("Unknown corpus format '" + name + "'", "format", Nearest.remedy(name, known));
        }
        return values()[index];
    }

    static List<String> names() {
        return Arrays.stream(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static CodeField codes(Options options) {
        boolean uncoded = options.choice("uncoded", Uncoded.class).orElse(Uncoded.FAIL) == Uncoded.KEEP;
        return new CodeField(options.choice("system", CodeSystem.class), !uncoded);
    }

    private static Optional<Path> codeList(Options options) {
        return options.find("code_list").map(Path::of);
    }

    private static String needed(Options options, String key, String what) {
        return options.find(key)
                .orElseThrow(() -> new UserError("Option '" + key + "' is missing", "options." + key, "name " + what));
    }

    /** What is done with a document without codes. */
    private enum Uncoded {
        FAIL,
        KEEP
    }
}
