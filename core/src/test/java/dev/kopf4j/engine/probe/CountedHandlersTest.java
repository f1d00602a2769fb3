package dev.kopf4j.engine.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ids of sub-handlers come from objects. */
class CountedHandlersTest {
    @Test
    void tellsAThousandSubHandlersApart() {
        CountedHandlers handlers = new CountedHandlers();
        assertThat(handlers.counted("update/spec.size")).isEqualTo("update/spec.size");
        long apart = IntStream.range(0, 5000)
                .mapToObj(item -> handlers.counted("create/item-" + item + "/part"))
                .distinct()
                .count();
        assertThat(apart).isEqualTo(1000);
        assertThat(handlers.counted("create/item-4999/part")).isEqualTo("create/*");
        assertThat(handlers.counted("create/item-1/part")).isEqualTo("create/item-1/part");
        assertThat(handlers.counted("update/spec.size")).isEqualTo("update/spec.size");
        assertThat(handlers.counted("create")).isEqualTo("create");
    }
}
