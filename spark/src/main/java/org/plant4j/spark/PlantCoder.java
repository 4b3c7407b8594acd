package org.plant4j.spark;

import java.util.List;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.support.DidYouMean;

/**
 * A stage of a Spark ML pipeline that codes documents with the model of a run: a column of texts in, a column of {@link
 * SuggestionRows#TYPE suggestions} out, best code first.
 *
 * <pre>{@code
 * Dataset<Row> coded = new PlantCoder()
 *         .setRun("/models/plant@demo") // a directory on every machine, or the name of a Spark archive
 *         .setInputCol("text")
 *         .setOutputCol("suggestions")
 *         .transform(documents);
 * }</pre>
 *
 * <p>Each executor loads the model once, for all of its tasks. A text that is null has no suggestions (null); a text that
 * is too long for {@link Coder} fails the job. With a batch size of 1, the default, the suggestions are bit for bit those of
 * {@link Coder#code(String, int)}, however the documents are partitioned; in larger batches scores may differ in their
 * last bits. A saved stage contains the name of the run, not the run.
 */
public final class PlantCoder extends Transformer implements DefaultParamsWritable {

    private final String uid;
    private final Param<String> inputCol;
    private final Param<String> outputCol;
    private final Param<String> run;
    private final Param<String> device;
    private final IntParam codes;
    private final IntParam explained;
    private final IntParam batchSize;

    public PlantCoder() {
        this(Identifiable$.MODULE$.randomUID("plantCoder"));
    }

    /** Called by {@link DefaultParamsReader}. */
    public PlantCoder(String uid) {
        this.uid = uid; // before any Param, because each asks its parent for it
        inputCol = new Param<>(this, "inputCol", "column of texts");
        outputCol = new Param<>(this, "outputCol", "column of suggestions");
        run = new Param<>(this, "run", "run directory on every machine, or name of a Spark archive");
        device = new Param<>(this, "device", "auto, cpu or cuda");
        codes = new IntParam(this, "codes", "codes per document", ParamValidators.gtEq(1));
        explained = new IntParam(this, "explained", "codes with evidence per document", ParamValidators.gtEq(0));
        batchSize = new IntParam(this, "batchSize", "documents per call of the model", ParamValidators.gtEq(1));
        setDefault(inputCol, "text");
        setDefault(outputCol, "suggestions");
        setDefault(device, "auto");
        setDefault(codes, Coder.DEFAULT_CODES);
        setDefault(explained, Integer.MAX_VALUE);
        setDefault(batchSize, 1);
    }

    /** Spark finds the reader of a saved stage by the name of this method. */
    public static MLReader<PlantCoder> read() {
        return new DefaultParamsReader<>();
    }

    public static PlantCoder load(String path) {
        return read().load(path);
    }

    @Override
    public String uid() {
        return uid;
    }

    // Spark finds params by reflection: public methods without arguments that return a Param.

    public Param<String> inputCol() {
        return inputCol;
    }

    public Param<String> outputCol() {
        return outputCol;
    }

    public Param<String> run() {
        return run;
    }

    public Param<String> device() {
        return device;
    }

    public IntParam codes() {
        return codes;
    }

    public IntParam explained() {
        return explained;
    }

    public IntParam batchSize() {
        return batchSize;
    }

    public PlantCoder setInputCol(String value) {
        set(inputCol, value);
        return this;
    }

    public PlantCoder setOutputCol(String value) {
        set(outputCol, value);
        return this;
    }

    public PlantCoder setRun(String value) {
        set(run, value);
        return this;
    }

    public PlantCoder setDevice(String value) {
        set(device, value);
        return this;
    }

    public PlantCoder setCodes(int value) {
        set(codes, value);
        return this;
    }

    /** Evidence for the first codes of a document only; 0 is fastest. By default for all. */
    public PlantCoder setExplained(int value) {
        set(explained, value);
        return this;
    }

    public PlantCoder setBatchSize(int value) {
        set(batchSize, value);
        return this;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        String input = $(inputCol);
        if (!List.of(schema.fieldNames()).contains(input)) {
            throw new UserError(
                    "There is no column '" + input + "'",
                    "inputCol",
                    DidYouMean.remedy(input, List.of(schema.fieldNames())));
        }
        if (!schema.apply(input).dataType().equals(DataTypes.StringType)) {
            throw new UserError(
                    "Column '" + input + "' has the type "
                            + schema.apply(input).dataType().simpleString(),
                    "inputCol",
                    "choose a column of strings");
        }
        if (List.of(schema.fieldNames()).contains($(outputCol))) {
            throw new UserError("Column '" + $(outputCol) + "' exists", "outputCol", "choose another name");
        }
        return schema.add($(outputCol), SuggestionRows.TYPE, true);
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        StructType schema = transformSchema(dataset.schema());
        if (!isDefined(run)) {
            throw new UserError("The run is not set", "run", "call setRun");
        }
        CodingFunction coding = new CodingFunction(
                $(run), $(device), dataset.schema().fieldIndex($(inputCol)), (int) $(codes), (int) $(explained), (int)
                        $(batchSize));
        return dataset.toDF().mapPartitions(coding, Encoders.row(schema));
    }

    @Override
    public PlantCoder copy(ParamMap extra) {
        return defaultCopy(extra);
    }
}
