package dev.kopf4j.checklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LayerPictureTest {
    private static final LayerPicture PICTURE = LayerPicture.parse(
            List.of(
                    "  top                   puts the parts together,",
                    "                        and starts them",
                    "  left, right.inner,",
                    "  far                   side by side",
                    "  dev.example           the values that all share"),
            "dev.example");

    @Test
    void readsNamesFromTheTopDown() {
        assertThat(PICTURE.packages())
                .containsExactly(
                        "dev.example.top",
                        "dev.example.left",
                        "dev.example.right.inner",
                        "dev.example.far",
                        "dev.example");
        assertThat(PICTURE.contains("dev.example.right")).isFalse();
    }

    @Test
    void arrowsPointDownOnly() {
        assertThat(PICTURE.allows("dev.example.top", "dev.example.left")).isTrue();
        assertThat(PICTURE.allows("dev.example.top", "dev.example")).isTrue();
        assertThat(PICTURE.allows("dev.example.left", "dev.example.left")).isTrue();
        assertThat(PICTURE.allows("dev.example.left", "dev.example.far")).isFalse();
        assertThat(PICTURE.allows("dev.example", "dev.example.far")).isFalse();
    }

    @Test
    void refusesAPictureWithoutLayers() {
        assertThatThrownBy(() -> LayerPicture.parse(List.of(), "dev.example"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
