package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.e2e.DocumentedPage.Block;
import dev.kopf4j.e2e.DocumentedPage.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a page takes for granted, written like a page: the blocks above its first heading come first, those below
 * {@code ## Before COMMAND} and {@code ## After COMMAND} at the first command of the page that begins like this.
 */
final class DocumentedScene {
    private final DocumentedSession session;
    private final List<Block> open;

    DocumentedScene(Path scenes, String page, DocumentedSession session) {
        this.session = session;
        String name = page.substring(page.lastIndexOf('/') + 1);
        this.open = Files.exists(scenes.resolve(name))
                ? new ArrayList<>(DocumentedPage.read(scenes, name).blocks())
                : new ArrayList<>();
    }

    void begin() {
        play("");
    }

    void before(String command) {
        play("Before", command);
    }

    void after(String command) {
        play("After", command);
    }

    private void play(String when, String command) {
        open.stream()
                .map(Block::heading)
                .filter(heading ->
                        heading.startsWith(when + " ") && command.startsWith(heading.substring(when.length() + 1)))
                .findFirst()
                .ifPresent(this::play);
    }

    private void play(String heading) {
        List<Block> now =
                open.stream().filter(block -> block.heading().equals(heading)).toList();
        open.removeAll(now);
        for (Block block : now) {
            String file = block.file();
            if (file != null) {
                session.write(file, block.text());
            }
            for (Command command : block.commands()) {
                session.type(command);
            }
        }
    }

    void end() {
        assertThat(open)
                .as("parts of the scene for which the page has no command (any more)")
                .isEmpty();
    }
}
