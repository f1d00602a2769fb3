package dev.kopf4j.devcluster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFileTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    private Path folder;

    @Test
    @Tag("P62")
    void aClusterBeginsWithTheObjectsOfAnotherAndLeavesTheFileAsItIs() {
        InMemory first = new InMemory(options -> options);
        String uid = first.json("POST", MAPS, "metadata: {name: a}\ndata: {b: c}")
                .at("/metadata/uid")
                .asString();
        Path snapshot = folder.resolve("state");
        first.server().save(snapshot);
        for (int run = 0; run < 2; run++) {
            InMemory next = new InMemory(options -> options.from(snapshot));
            assertThat(next.get(MAPS + "/a").at("/metadata/uid").asString()).isEqualTo(uid);
            assertThat(next.get(MAPS + "/a").at("/data/b").asString()).isEqualTo("c");
            assertThat(next.send("DELETE", MAPS + "/a", "").status()).isEqualTo(200);
        }
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> new InMemory(options -> options.from(folder.resolve("nothing"))))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("nothing");
    }
}
