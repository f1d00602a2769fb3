package dev.kopf4j.cli.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The resources beside sources, as an image gets them, which others can read: without what has come into a folder of
 * sources for other reasons, and without what is to be secret. A folder that has nothing but resources is packed as
 * build tools pack it: with templates of sources, and with folders of any name. Immutable.
 *
 * @param files by their paths in a jar
 * @param leftOut files and folders that are no resources
 */
public record ResourceFiles(SortedMap<String, Path> files, SortedSet<String> leftOut) {
    private static final Set<String> BUILT = Set.of("target", "build");
    private static final Path RESOURCES = Path.of("src", "main", "resources");
    private static final Pattern SECRET_NAME =
            Pattern.compile("kubeconfig(\\..*)?|.*\\.kubeconfig|.*\\.(key|p12|pfx|jks|keystore)");
    private static final Pattern PRIVATE_KEY = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----");
    private static final Pattern CONFIG = Pattern.compile("(?m)^\\W*kind\\W+Config\\W*$|\"kind\"\\s*:\\s*\"Config\"");
    private static final Pattern USERS = Pattern.compile("(?m)^users:|\"users\"\\s*:");
    private static final int NAMED_MAX = 10;

    /** Copies the collections. */
    public ResourceFiles {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        leftOut = Collections.unmodifiableSortedSet(new TreeSet<>(leftOut));
    }

    /** Those of folders of sources, and of resources beside them; of one name, the first, as on the class path. */
    public static ResourceFiles of(List<Path> folders) throws IOException {
        SortedMap<String, Path> files = new TreeMap<>();
        SortedSet<String> leftOut = new TreeSet<>();
        for (Path folder : folders) {
            boolean hasSources = !folder.endsWith(RESOURCES);
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                    String name = each.equals(folder) ? "" : String.valueOf(each.getFileName());
                    if (!name.startsWith(".") && !(hasSources && BUILT.contains(name))) {
                        return FileVisitResult.CONTINUE;
                    }
                    leftOut.add(path(each) + "/");
                    return FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) throws IOException {
                    if (!Files.isRegularFile(each)
                            || (hasSources && each.toString().endsWith(".java"))) {
                        return FileVisitResult.CONTINUE;
                    }
                    if (isHiddenOrSecret(each)) {
                        leftOut.add(path(each));
                    } else {
                        files.putIfAbsent(path(each), each);
                    }
                    return FileVisitResult.CONTINUE;
                }

                private String path(Path each) {
                    return folder.relativize(each).toString().replace('\\', '/');
                }
            });
        }
        return new ResourceFiles(files, leftOut);
    }

    private static boolean isHiddenOrSecret(Path file) throws IOException {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (name.startsWith(".") || SECRET_NAME.matcher(name).matches()) {
            return true;
        }
        String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        return PRIVATE_KEY.matcher(content).find()
                || (CONFIG.matcher(content).find() && USERS.matcher(content).find());
    }

    /** What is packed, and what is not, for people. */
    public List<String> words() {
        String packed = files.size() == 1 ? "1 resource is packed." : files.size() + " resources are packed.";
        if (leftOut.isEmpty()) {
            return List.of(packed);
        }
        return List.of(
                packed,
                "Left out, as hidden, built or secret: "
                        + leftOut.stream().limit(NAMED_MAX).collect(Collectors.joining(", "))
                        + (leftOut.size() > NAMED_MAX ? ", and " + (leftOut.size() - NAMED_MAX) + " more" : ""));
    }
}
