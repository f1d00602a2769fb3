package dev.kopf4j.types.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommentReaderTest {
    @TempDir
    private Path folder;

    private Map<String, String> read(String source) throws IOException {
        return CommentReader.read(List.of(Files.writeString(folder.resolve("Site.java"), source)));
    }

    @Test
    void keepsWhatLooksLikeMarkupInInlineTags() throws IOException {
        assertThat(read("""
                /**
                 * Shown by <b>kubectl</b>: {@code kubectl get <name>}, or {@link java.util.List<String>}, &lt;br&gt;
                 * {@code a &lt; b && c}.
                 *
                 * @param pattern such as {@code <p>$1}
                 */
                record Site(String pattern) {}
                """))
                .isEqualTo(Map.of(
                        "Site",
                        "Shown by kubectl: kubectl get <name>, or java.util.List<String>, <br> a &lt; b && c.",
                        "Site#pattern",
                        "such as <p>$1"));
    }

    @Test
    void tellsCommentsOfLinesFromTraditionalOnes() throws IOException {
        assertThat(read("""
                /// Keeps <b>
                /// its lines.

                class Site {
                    /** One
                     *  <b>line</b>. */ String one;

                    /// Two
                    /// <i>lines</i>.
                    String two;
                }
                """))
                .isEqualTo(Map.of(
                        "Site", "Keeps <b>\nits lines.", "Site#one", "One line.", "Site#two", "Two\n<i>lines</i>."));
    }
}
