package org.plant4j.server.coding;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** Counters and histograms of the server in Prometheus text format. Label values never contain user input. */
public final class ServerMetrics {

    private static final double[] SECONDS_BUCKETS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};
    private static final double[] DOCUMENT_BUCKETS = {1, 2, 4, 8, 16, 32, 64, 128};

    private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
    private final Map<String, Histogram> latencies = new ConcurrentSkipListMap<>();
    private final Histogram batchSizes = new Histogram(DOCUMENT_BUCKETS);
    private final Histogram batchSeconds = new Histogram(SECONDS_BUCKETS);
    private final Histogram explanationSeconds = new Histogram(SECONDS_BUCKETS);
    private final Map<String, LongAdder> feedback = new ConcurrentSkipListMap<>();
    private final LongAdder rejections = new LongAdder();
    private final LongAdder reviews = new LongAdder();
    private final Map<String, IntSupplier> gauges = new ConcurrentHashMap<>();

    public void recordRequest(String method, String route, int status, double seconds) {
        String name = "{method=\"" + method + "\",route=\"" + route + "\"";
        requests.computeIfAbsent(name + ",status=\"" + status + "\"}", each -> new LongAdder())
                .increment();
        latencies.computeIfAbsent(name, each -> new Histogram(SECONDS_BUCKETS)).add(seconds);
    }

    void recordBatch(int documents, double seconds) {
        batchSizes.add(documents);
        batchSeconds.add(seconds);
    }

    void recordExplanation(double seconds) {
        explanationSeconds.add(seconds);
    }

    void recordRejection() {
        rejections.increment();
    }

    /** Counts what became of a card of CDS Hooks. */
    public void recordCdsFeedback(String service, String outcome) {
        feedback.computeIfAbsent("{service=\"" + service + "\",outcome=\"" + outcome + "\"}", each -> new LongAdder())
                .increment();
    }

    public void recordReview() {
        reviews.increment();
    }

    public void registerQueueGauges(IntSupplier documents, IntSupplier explanations) {
        gauges.put("plant_queue_documents", documents);
        gauges.put("plant_queue_explanations", explanations);
    }

    public String toPrometheusText() {
        StringBuilder out = new StringBuilder(4096);
        appendHeader(out, "plant_requests_total", "counter", "Requests.");
        requests.forEach((labels, count) -> appendSample(out, "plant_requests_total" + labels, count.sum()));
        appendHeader(out, "plant_request_seconds", "histogram", "Time from request to response.");
        latencies.forEach((labels, times) -> times.write(out, "plant_request_seconds", labels));
        appendHeader(out, "plant_batch_documents", "histogram", "Documents per batch.");
        batchSizes.write(out, "plant_batch_documents", "");
        appendHeader(out, "plant_batch_seconds", "histogram", "Time to code a batch.");
        batchSeconds.write(out, "plant_batch_seconds", "");
        appendHeader(out, "plant_explanation_seconds", "histogram", "Time to explain a code.");
        explanationSeconds.write(out, "plant_explanation_seconds", "");
        appendHeader(out, "plant_rejected_requests_total", "counter", "Requests rejected because the queue was full.");
        appendSample(out, "plant_rejected_requests_total", rejections.sum());
        appendHeader(out, "plant_cds_feedback_total", "counter", "Feedback on cards of CDS Hooks.");
        feedback.forEach((labels, count) -> appendSample(out, "plant_cds_feedback_total" + labels, count.sum()));
        appendHeader(out, "plant_reviews_total", "counter", "Reviews stored since the server started.");
        appendSample(out, "plant_reviews_total", reviews.sum());
        gauges.forEach((name, value) -> {
            appendHeader(out, name, "gauge", "Items in the queue.");
            appendSample(out, name, value.getAsInt());
        });
        appendHeader(out, "plant_heap_bytes", "gauge", "Java heap in use.");
        appendSample(
                out,
                "plant_heap_bytes",
                Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        return out.toString();
    }

    private static void appendHeader(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void appendSample(StringBuilder out, String name, long value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    /** Counts of values by upper bound. */
    private static final class Histogram {

        private final double[] bounds;
        private final LongAdder[] counts;
        private final DoubleAdder sum = new DoubleAdder();

        Histogram(double[] bounds) {
            this.bounds = bounds;
            this.counts = new LongAdder[bounds.length + 1];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = new LongAdder();
            }
        }

        void add(double value) {
            int bucket = 0;
            while (bucket < bounds.length && value > bounds[bucket]) {
                bucket++;
            }
            counts[bucket].increment();
            sum.add(value);
        }

        /** {@code labels}: without the closing brace, or empty. */
        void write(StringBuilder out, String name, String labels) {
            String open = labels.isEmpty() ? "{" : labels + ",";
            String all = labels.isEmpty() ? "" : labels + "}";
            long below = 0;
            for (int i = 0; i < counts.length; i++) {
                below += counts[i].sum();
                String bound = i < bounds.length ? number(bounds[i]) : "+Inf";
                appendSample(out, name + "_bucket" + open + "le=\"" + bound + "\"}", below);
            }
            out.append(name)
                    .append("_sum")
                    .append(all)
                    .append(' ')
                    .append(sum.sum())
                    .append('\n');
            appendSample(out, name + "_count" + all, below);
        }

        private static String number(double value) {
            return value == Math.rint(value) ? String.valueOf((long) value) : String.format(Locale.ROOT, "%s", value);
        }
    }
}
