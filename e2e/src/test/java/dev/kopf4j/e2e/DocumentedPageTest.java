package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.kopf4j.e2e.DocumentedPage.Block;
import dev.kopf4j.e2e.DocumentedPage.Command;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts as a command of a page, and as its output. */
class DocumentedPageTest {
    @TempDir
    private Path folder;

    private List<Block> blocks(String page) {
        TextFile.write(folder.resolve("page.md"), page);
        return DocumentedPage.read(folder, "page.md").blocks();
    }

    @Test
    void aSessionHasOutputBelowItsPrompts() {
        assertThat(blocks("""
                ```console
                $ kubectl get pods
                NAME
                x
                $ kubectl delete pod x
                ```
                """))
                .singleElement()
                .extracting(Block::commands)
                .isEqualTo(
                        List.of(new Command("kubectl get pods", "NAME\nx"), new Command("kubectl delete pod x", "")));
    }

    @Test
    void textRightBelowAScriptIsTheOutputOfItsLastLine() {
        assertThat(blocks("""
                1. Do it:

                   ```sh
                   # remark
                   kopf4j run \\
                       Operator.java   # here
                   kopf4j version
                   ```

                   ```text
                   1
                   ```
                """))
                .singleElement()
                .extracting(Block::commands)
                .isEqualTo(List.of(
                        new Command("kopf4j run Operator.java   # here", null), new Command("kopf4j version", "1")));
    }

    @Test
    void textBelowASentenceBelongsToNoCommand() {
        assertThat(blocks("""
                ```sh
                kopf4j version
                ```

                It writes:

                ```text
                1
                ```
                """)).extracting(Block::isOutput).containsExactly(false, true);
    }

    @Test
    void filesAreNamedInTheirFirstLine() {
        assertThat(blocks("""
                ```java
                // new/Website.java
                class Website {}
                ```
                ## Next
                ```
                what is this?
                ```
                """))
                .extracting(Block::file, Block::language, Block::heading)
                .containsExactly(tuple("new/Website.java", "java", ""), tuple(null, "", "Next"));
    }
}
