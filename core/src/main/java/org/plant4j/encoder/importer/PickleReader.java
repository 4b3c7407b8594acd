package org.plant4j.encoder.importer;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.plant4j.UserError;

/**
 * Reads a Python pickle as plain data. A pickle is a program that may call any Python function; this reader executes none.
 * It knows dictionaries, lists, texts, numbers and the tensors of PyTorch, and refuses every other name before anything is
 * done with it.
 */
final class PickleReader {

    /** Python's None, since collections do not take null. */
    static final Object NONE = new Object();

    private static final int MAX_TEXT = 1 << 24;
    private static final Object MARK = new Object();

    /** A name that a pickle may call or refer to. */
    private enum Allowed {
        DICTIONARY,
        TENSOR,
        PARAMETER
    }

    /** The type of the numbers of a storage: {@code torch.FloatStorage}. */
    record StorageType(String name, int bytes) {}

    /** A block of numbers outside the pickle. */
    record Storage(StorageType type, String key, long elements) {}

    /** A tensor: a view of a storage. */
    record TensorView(Storage storage, long offset, List<Long> shape, List<Long> strides) {}

    private static final Map<String, Object> NAMES = names();

    private final DataInputStream in;
    private final String where;
    private final Deque<Object> stack = new ArrayDeque<>();
    private final Map<Integer, Object> memo = new HashMap<>();
    private final List<Storage> storages = new ArrayList<>();

    PickleReader(InputStream in, String where) {
        this.in = new DataInputStream(in);
        this.where = where;
    }

    private static Map<String, Object> names() {
        Map<String, Object> names = new HashMap<>();
        names.put("collections OrderedDict", Allowed.DICTIONARY);
        names.put("torch._utils _rebuild_tensor_v2", Allowed.TENSOR);
        names.put("torch._utils _rebuild_parameter", Allowed.PARAMETER);
        Map<String, Integer> sizes = Map.of(
                "Float",
                4,
                "Half",
                2,
                "BFloat16",
                2,
                "Double",
                8,
                "Long",
                8,
                "Int",
                4,
                "Short",
                2,
                "Char",
                1,
                "Byte",
                1,
                "Bool",
                1);
        sizes.forEach((type, bytes) -> names.put("torch " + type + "Storage", new StorageType(type, bytes)));
        return names;
    }

    /** Reads one pickle, up to its end. */
    Object read() throws IOException {
        try {
            while (true) {
                int opcode = in.readUnsignedByte();
                if (opcode == '.') {
                    return pop();
                }
                execute(opcode);
            }
        } catch (EOFException e) {
            throw invalid("it is truncated");
        } catch (ClassCastException | IndexOutOfBoundsException | UnsupportedOperationException e) {
            throw invalid("its values do not fit together");
        }
    }

    private void execute(int opcode) throws IOException {
        switch (opcode) {
            case 0x80 -> in.readUnsignedByte(); // protocol
            case 0x95 -> in.readLong(); // frame
            case '}' -> push(new LinkedHashMap<>());
            case ']' -> push(new ArrayList<>());
            case ')' -> push(List.of());
            case '(' -> push(MARK);
            case 'N' -> push(NONE);
            case 0x88 -> push(true);
            case 0x89 -> push(false);
            case 'J' -> push((long) Integer.reverseBytes(in.readInt()));
            case 'K' -> push((long) in.readUnsignedByte());
            case 'M' -> push((long) Character.reverseBytes(in.readChar()));
            case 0x8a -> push(longInteger());
            case 'G' -> push(in.readDouble());
            case 'X', 'T' -> push(text(Integer.reverseBytes(in.readInt())));
            case 0x8c, 'U' -> push(text(in.readUnsignedByte()));
            case 'q' -> memo.put(in.readUnsignedByte(), top());
            case 'r' -> memo.put(Integer.reverseBytes(in.readInt()), top());
            case 0x94 -> memo.put(memo.size(), top());
            case 'h' -> push(remembered(in.readUnsignedByte()));
            case 'j' -> push(remembered(Integer.reverseBytes(in.readInt())));
            case 't' -> push(untilMark());
            case 0x85 -> push(tuple(1));
            case 0x86 -> push(tuple(2));
            case 0x87 -> push(tuple(3));
            case 'a' -> append(List.of(pop()));
            case 'e' -> append(untilMark());
            case 's' -> set(tuple(2));
            case 'u' -> set(untilMark());
            case 'c' -> push(named(line(), line()));
            case 0x93 -> {
                String name = (String) pop();
                push(named((String) pop(), name));
            }
            case 'Q' -> push(storage((List<?>) pop()));
            case 'R' -> call();
            case 'b' -> pop(); // attributes of a dictionary, such as the versions of modules
            case '0' -> pop();
            default -> throw refused(String.format(Locale.ROOT, "the operation 0x%02x", opcode));
        }
    }

    private void push(Object value) {
        stack.push(value);
    }

    private Object pop() {
        Object top = top();
        stack.pop();
        return top;
    }

    /** The last value, which is no mark. */
    private Object top() {
        Object top = peek();
        if (top == MARK) {
            throw invalid("a value is missing");
        }
        return top;
    }

    private Object peek() {
        Object top = stack.peek();
        if (top == null) {
            throw invalid("a value is missing");
        }
        return top;
    }

    private Object remembered(int index) {
        Object value = memo.get(index);
        if (value == null) {
            throw invalid("it refers to a value that it does not contain");
        }
        return value;
    }

    private List<Object> tuple(int size) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            values.add(0, pop());
        }
        return values;
    }

    private List<Object> untilMark() {
        Deque<Object> values = new ArrayDeque<>();
        while (peek() != MARK) {
            values.push(stack.pop());
        }
        stack.pop();
        return new ArrayList<>(values);
    }

    @SuppressWarnings("unchecked")
    private void append(List<Object> values) {
        ((List<Object>) peek()).addAll(values);
    }

    @SuppressWarnings("unchecked")
    private void set(List<Object> keysAndValues) {
        Map<Object, Object> map = (Map<Object, Object>) peek();
        for (int i = 0; i + 1 < keysAndValues.size(); i += 2) {
            Object key = keysAndValues.get(i);
            // A list may contain itself, so that its hash cannot be computed; Python allows no lists as keys either.
            if (!(key instanceof String || key instanceof Number || key instanceof Boolean || key == NONE)) {
                throw invalid("the key of a dictionary is neither a text nor a number");
            }
            map.put(key, keysAndValues.get(i + 1));
        }
    }

    /** A {@link Long}, or a {@link BigInteger} if the number does not fit. */
    private Number longInteger() throws IOException {
        int size = in.readUnsignedByte();
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException();
        }
        for (int i = 0; i < size / 2; i++) { // little-endian in the file
            byte first = bytes[i];
            bytes[i] = bytes[size - 1 - i];
            bytes[size - 1 - i] = first;
        }
        BigInteger value = size == 0 ? BigInteger.ZERO : new BigInteger(bytes);
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }

    private String text(int length) throws IOException {
        if (length < 0 || length > MAX_TEXT) {
            throw invalid("a text is too long");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
            if (line.length() > 1000) {
                throw invalid("a name is too long");
            }
        }
        return line.toString();
    }

    private Object named(String module, String name) {
        Object known = NAMES.get(module + " " + name);
        if (known == null) {
            throw refused("the name " + (module + "." + name).replaceAll("[^\\w.]", "?"));
        }
        return known;
    }

    /** A storage outside the pickle: {@code ("storage", type, key, device, elements)}. */
    private Storage storage(List<?> id) {
        Storage storage = new Storage((StorageType) id.get(1), (String) id.get(2), (Long) id.get(4));
        storages.add(storage);
        return storage;
    }

    /** All storages that the pickle refers to. */
    List<Storage> storages() {
        return storages;
    }

    private void call() {
        List<?> arguments = (List<?>) pop();
        switch ((Allowed) pop()) {
            case DICTIONARY -> {
                if (!arguments.isEmpty()) {
                    throw refused("a dictionary with contents");
                }
                push(new LinkedHashMap<>());
            }
            case TENSOR ->
                push(new TensorView(
                        (Storage) arguments.get(0),
                        (Long) arguments.get(1),
                        numbers(arguments.get(2)),
                        numbers(arguments.get(3))));
            case PARAMETER -> push(arguments.get(0));
        }
    }

    private static List<Long> numbers(Object list) {
        return ((List<?>) list).stream().map(Long.class::cast).toList();
    }

    private UserError refused(String what) {
        return new UserError(
                "The pickle contains " + what
                        + ", which is not a tensor: it is refused, and nothing of it was executed",
                where,
                "use a file with weights only, from a source that you trust: torch.save(model.state_dict(), FILE)");
    }

    private UserError invalid(String why) {
        return new UserError("Not a valid pickle: " + why, where, "download or save the file again");
    }
}
