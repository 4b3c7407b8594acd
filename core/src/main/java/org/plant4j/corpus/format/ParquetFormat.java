package org.plant4j.corpus.format;

import org.plant4j.UserError;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/** Parquet files with the fields of JSON Lines. Only Spark reads them; experiments use what it has prepared. */
final class ParquetFormat {

    static final CorpusFormat FORMAT = new CorpusFormat("parquet", CodeField.OPTION_NAMES, (path, options, badRows) -> {
        CodeField.of(options); // checks them
        return OpenedCorpus.ofPaths(path, file -> {
            throw new UserError(
                    "Parquet files are read by Spark only",
                    file.toString(),
                    "run 'plant-spark prepare EXPERIMENT' first, with the same --runs");
        });
    });

    private ParquetFormat() {}
}
