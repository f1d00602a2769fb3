package dev.kopf4j.devcluster.patch;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The order of a merged list: {@code normalizeElementOrder} in {@code pkg/util/strategicpatch/patch.go} of
 * apimachinery, v1.33. Patched elements keep the patch's order, all others the server's order. The two sequences are
 * merged by the server's order; an element that is new to the server comes first. Pure.
 */
final class MergedListOrder {
    private MergedListOrder() {}

    static ArrayNode arrange(
            ArrayNode merged, JsonNode patchOrder, JsonNode serverOrder, Function<JsonNode, String> identity) {
        List<String> wanted = names(patchOrder, identity);
        List<String> former = names(serverOrder, identity);
        List<JsonNode> patched = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode element : merged) {
            (wanted.contains(identity.apply(element)) ? patched : others).add(element);
        }
        patched.sort(Comparator.comparingInt(element -> wanted.indexOf(identity.apply(element))));
        others.sort(Comparator.comparingInt(element -> former.indexOf(identity.apply(element))));
        return weave(others, patched, former, identity);
    }

    private static ArrayNode weave(
            List<JsonNode> others, List<JsonNode> patched, List<String> former, Function<JsonNode, String> identity) {
        ArrayNode result = Json.array();
        int left = 0;
        int right = 0;
        while (left < others.size() && right < patched.size()) {
            int leftIndex = former.indexOf(identity.apply(others.get(left)));
            int rightIndex = former.indexOf(identity.apply(patched.get(right)));
            boolean leftFirst = leftIndex >= 0 && rightIndex >= 0 && leftIndex < rightIndex;
            result.add(leftFirst ? others.get(left++) : patched.get(right++));
        }
        others.subList(left, others.size()).forEach(result::add);
        patched.subList(right, patched.size()).forEach(result::add);
        return result;
    }

    private static List<String> names(JsonNode elements, Function<JsonNode, String> identity) {
        return elements.valueStream().map(identity).toList();
    }
}
