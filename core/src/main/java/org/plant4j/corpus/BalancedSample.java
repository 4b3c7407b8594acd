package org.plant4j.corpus;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * A sample in which the numbers of documents per label are as equal as a greedy choice makes them: the label with the fewest
 * sampled documents gets its next one, until the sample is full. A smaller sample is a subset of a larger one.
 */
final class BalancedSample {

    /** A document: its random position decides the order within a label, its index in the corpus identifies it. */
    record Candidate(double position, long index, Collection<String> codes) {}

    /** A label and its number of sampled documents when it was queued. */
    private record Queued(String code, int count) {}

    private final Map<String, Deque<Candidate>> byCode = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final PriorityQueue<Queued> queue =
            new PriorityQueue<>(Comparator.comparingInt(Queued::count).thenComparing(Queued::code));
    private final Set<Long> sampled = new HashSet<>();

    private BalancedSample(List<Candidate> candidates) {
        List<Candidate> ordered = new ArrayList<>(candidates);
        ordered.sort(Comparator.comparingDouble(Candidate::position).thenComparingLong(Candidate::index));
        for (Candidate candidate : ordered) {
            candidate
                    .codes()
                    .forEach(code -> byCode.computeIfAbsent(code, unknown -> new ArrayDeque<>())
                            .add(candidate));
        }
        byCode.keySet().forEach(code -> queue.add(new Queued(code, 0)));
    }

    /** The indices of the sampled documents; documents without codes are never sampled. */
    static Set<Long> choose(List<Candidate> candidates, int size) {
        return new BalancedSample(candidates).choose(size);
    }

    private Set<Long> choose(int size) {
        while (sampled.size() < size && !queue.isEmpty()) {
            Queued fewest = queue.remove();
            int count = counts.getOrDefault(fewest.code(), 0);
            if (count > fewest.count()) {
                queue.add(new Queued(fewest.code(), count)); // documents of other labels had it, too
                continue;
            }
            Deque<Candidate> own = Objects.requireNonNull(byCode.get(fewest.code()));
            while (!own.isEmpty() && sampled.contains(own.peek().index())) {
                own.remove();
            }
            if (!own.isEmpty()) {
                Candidate next = own.remove();
                sampled.add(next.index());
                next.codes().forEach(code -> counts.merge(code, 1, Integer::sum));
                queue.add(new Queued(fewest.code(), count + 1));
            }
        }
        return sampled;
    }
}
