package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The picture of a module's layers in ARCHITECTURE.md, which is the rule that the module's tests check: so picture and
 * code cannot differ. Each layer is a line with the names of its packages, separated by commas, and what they do behind
 * two spaces or more; lines that begin further to the right continue that text. Arrows point down: a package may use
 * those of the lines below it. Immutable.
 */
public final class LayerPicture {
    private static final String FENCE = "```";
    private static final Pattern LINE =
            Pattern.compile(" {0,4}(?<names>[a-z][\\w.]*(?:, [a-z][\\w.]*)*)(?<more>,)?(?: {2,}\\S.*)?");

    private static final Pattern NAME = Pattern.compile("[\\w.]+");

    private final List<Set<String>> layers;

    private LayerPicture(List<Set<String>> layers) {
        this.layers = layers;
    }

    /**
     * Reads the first picture below a heading.
     *
     * @param file the document
     * @param heading the whole line of the heading
     * @param root the package that the names in the picture are relative to; it may stand there itself, in full
     * @throws IllegalArgumentException if there is no such heading or no picture below it
     */
    public static LayerPicture read(Path file, String heading, String root) {
        try (Stream<String> lines = Files.lines(file)) {
            List<String> picture = lines.dropWhile(line -> !line.equals(heading))
                    .dropWhile(line -> !line.equals(FENCE))
                    .skip(1)
                    .takeWhile(line -> !line.equals(FENCE))
                    .toList();
            return parse(picture, root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LayerPicture parse(List<String> picture, String root) {
        List<Set<String>> layers = new ArrayList<>();
        boolean goesOn = false;
        for (String line : picture) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                continue;
            }
            if (!goesOn) {
                layers.add(new LinkedHashSet<>());
            }
            NAME.matcher(matcher.group("names"))
                    .results()
                    .map(MatchResult::group)
                    .map(name -> name.startsWith(root) ? name : root + "." + name)
                    .forEach(layers.getLast()::add);
            goesOn = matcher.group("more") != null;
        }
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("there is no picture of layers");
        }
        return new LayerPicture(layers);
    }

    /** All packages of the picture, from the top down. */
    public List<String> packages() {
        return layers.stream().flatMap(Set::stream).toList();
    }

    /** True if the picture has this package. */
    public boolean contains(String packageName) {
        return layer(packageName) >= 0;
    }

    /** True if classes of one package may use those of another: it is the same, or stands further down. */
    public boolean allows(String from, String to) {
        return from.equals(to) || layer(from) < layer(to);
    }

    private int layer(String packageName) {
        for (int layer = 0; layer < layers.size(); layer++) {
            if (layers.get(layer).contains(packageName)) {
                return layer;
            }
        }
        return -1;
    }
}
