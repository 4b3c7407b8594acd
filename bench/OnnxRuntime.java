import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Times a model in ONNX Runtime: java -cp onnxruntime.jar bench/OnnxRuntime.java MODEL IDS LOGITS ROWS THREADS STEPS ROUNDS
 *
 * IDS holds the token ids, ROWS rows of 64-bit integers; LOGITS gets the output in 32-bit floats, both little-endian. Prints the
 * version and the milliseconds of a step in each round.
 */
final class OnnxRuntime {

    public static void main(String[] arguments) throws IOException, OrtException {
        ByteBuffer ids = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[1]))).order(ByteOrder.LITTLE_ENDIAN);
        int rows = Integer.parseInt(arguments[3]);
        long[][] input = new long[rows][ids.remaining() / Long.BYTES / rows];
        for (long[] row : input) {
            ids.asLongBuffer().get(row);
            ids.position(ids.position() + row.length * Long.BYTES);
        }
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(Integer.parseInt(arguments[4]));
            try (OrtSession session = environment.createSession(arguments[0], options);
                    OnnxTensor tensor = OnnxTensor.createTensor(environment, input)) {
                Map<String, OnnxTensor> inputs = Map.of(session.getInputNames().iterator().next(), tensor);
                write(Path.of(arguments[2]), logits(session, inputs));
                System.out.println(environment.getVersion());
                int steps = Integer.parseInt(arguments[5]);
                for (int round = 0; round < Integer.parseInt(arguments[6]); round++) {
                    long start = System.nanoTime();
                    for (int step = 0; step < steps; step++) {
                        logits(session, inputs);
                    }
                    System.out.println((System.nanoTime() - start) / 1e6 / steps);
                }
            }
        }
    }

    private static float[] logits(OrtSession session, Map<String, OnnxTensor> inputs) throws OrtException {
        try (OrtSession.Result result = session.run(inputs)) {
            return (float[]) result.get(0).getValue();
        }
    }

    private static void write(Path file, float[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        Files.write(file, bytes.array());
    }
}
