package dev.kopf4j.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomeFolderTest {
    @Test
    void theEnvironmentWinsAsWithKubectl() {
        assertThat(HomeFolder.of(Map.of("HOME", "/somewhere"))).isEqualTo(Path.of("/somewhere"));
    }

    @Test
    void withoutItTheSystemsListOfUsersCounts() {
        Path known = Path.of(System.getProperty("user.home"));
        assertThat(HomeFolder.of(Map.of())).isEqualTo(known);
        assertThat(HomeFolder.of(Map.of("HOME", " "))).isEqualTo(known);
    }
}
