package org.plant4j.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Changes JSON trees: values of other types, missing, misspelt and unknown fields, deep nesting, odd numbers. */
final class JsonMutator {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JsonMutator() {}

    /** A changed copy of a tree. */
    static JsonNode mutate(JsonNode tree, FuzzInput input) {
        JsonNode copy = tree.deepCopy();
        List<ContainerNode<?>> containers = new ArrayList<>();
        collect(copy, containers);
        if (containers.isEmpty()) {
            return oddValue(input);
        }
        ContainerNode<?> chosen = input.pick(containers);
        if (chosen instanceof ObjectNode object) {
            mutate(object, input);
        } else {
            mutate((ArrayNode) chosen, input);
        }
        return copy;
    }

    private static void collect(JsonNode node, List<ContainerNode<?>> containers) {
        if (node instanceof ContainerNode<?> container) {
            containers.add(container);
        }
        node.forEach(child -> collect(child, containers));
    }

    private static void mutate(ObjectNode object, FuzzInput input) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty() || input.chance(0.1)) {
            String name = OddText.any(input, 20);
            input.step("add field " + name);
            object.set(name, oddValue(input));
            return;
        }
        String name = input.pick(names);
        switch (input.below(6)) {
            case 0 -> {
                input.step("remove field " + name);
                object.remove(name);
            }
            case 1 -> {
                String renamed = OddText.mutate(name, input);
                input.step("rename field " + name + " to " + renamed);
                object.set(renamed, object.remove(name));
            }
            case 2 -> {
                String other = input.pick(names);
                input.step("copy field " + other + " to " + name);
                object.set(name, object.get(other).deepCopy());
            }
            default -> {
                JsonNode changed = changed(object.get(name), input);
                input.step("set field " + name + " to " + describe(changed));
                object.set(name, changed);
            }
        }
    }

    private static void mutate(ArrayNode array, FuzzInput input) {
        if (array.isEmpty() || input.chance(0.2)) {
            JsonNode added = oddValue(input);
            input.step("add element " + describe(added));
            array.add(added);
            return;
        }
        int at = input.below(array.size());
        switch (input.below(4)) {
            case 0 -> {
                input.step("remove element " + at);
                array.remove(at);
            }
            case 1 -> {
                input.step("repeat element " + at);
                array.add(array.get(at).deepCopy());
            }
            default -> {
                JsonNode changed = changed(array.get(at), input);
                input.step("set element " + at + " to " + describe(changed));
                array.set(at, changed);
            }
        }
    }

    private static JsonNode changed(JsonNode old, FuzzInput input) {
        if (old.isTextual() && input.chance(0.4)) {
            return JSON.textNode(OddText.mutate(old.asText(), input));
        }
        if (old.isIntegralNumber() && input.chance(0.4)) {
            return input.pick(
                    JSON.numberNode(old.asLong() + input.between(-2, 2)),
                    JSON.numberNode(old.asLong() + (1L << 32)),
                    JSON.numberNode(-old.asLong()),
                    JSON.numberNode(old.asLong() + 0.5),
                    JSON.textNode(old.asText()));
        }
        if (input.chance(0.2)) {
            return input.chance(0.5)
                    ? JSON.arrayNode().add(old.deepCopy())
                    : JSON.objectNode().set("code", old.deepCopy());
        }
        return oddValue(input);
    }

    static JsonNode oddValue(FuzzInput input) {
        return switch (input.below(14)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.booleanNode(input.chance(0.5));
            case 2 -> JSON.numberNode(input.below(5) - 2);
            case 3 -> JSON.numberNode(Long.MAX_VALUE);
            case 4 -> JSON.numberNode(BigInteger.TEN.pow(40));
            case 5 -> JSON.numberNode(input.pick(0.5, -0.0, 1e300, 250.0));
            case 6 -> JSON.textNode("");
            case 7 -> JSON.textNode(" \n ");
            case 8 -> JSON.textNode(OddText.any(input, 200));
            case 9 -> JSON.textNode(OddText.valid(input, 10));
            case 10 -> JSON.arrayNode();
            case 11 -> JSON.objectNode();
            case 12 -> nested(input.between(2, 2000));
            default -> JSON.arrayNode().add(JSON.nullNode()).add(1).add("x");
        };
    }

    private static String describe(JsonNode node) {
        return node.isContainerNode() && !node.isEmpty() ? "an array or object" : node.toString();
    }

    private static JsonNode nested(int depth) {
        JsonNode inner = JSON.arrayNode();
        for (int i = 0; i < depth; i++) {
            inner = JSON.arrayNode().add(inner);
        }
        return inner;
    }
}
