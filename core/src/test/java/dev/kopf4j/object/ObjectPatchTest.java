package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Patch;
import dev.kopf4j.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ObjectPatchTest {
    @Test
    @Tag("L62")
    void removesByPathsAndByKeysThatHaveDots() {
        Patch patch = new ObjectPatch(Json.object(), new PatchContent());
        patch.remove("spec.size").meta().remove(List.of("annotations", "example.com/size"));
        assertThat(patch.toMap())
                .isEqualTo(Map.of(
                        "spec", nothing("size"), "metadata", Map.of("annotations", nothing("example.com/size"))));
    }

    private static Map<String, @Nullable Object> nothing(String key) {
        Map<String, @Nullable Object> map = new HashMap<>();
        map.put(key, null);
        return map;
    }
}
