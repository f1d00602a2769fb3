package dev.kopf4j.types.javadoc;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Reads the comments of types and fields from source files by the compiler's parser. */
public final class CommentReader extends TreePathScanner<Void, String> {
    /** No places of processors, or javac would look for plug-ins in each jar of the class path. */
    private static final List<String> OPTIONS = List.of("-proc:none", "-processorpath", "");

    private final DocTrees trees;
    private final CompilationUnitTree unit;
    private final CharSequence source;
    private final Map<String, String> texts;

    private CommentReader(DocTrees trees, CompilationUnitTree unit, Map<String, String> texts) throws IOException {
        this.trees = trees;
        this.unit = unit;
        this.source = unit.getSourceFile().getCharContent(true);
        this.texts = texts;
    }

    /** The texts by binary names of types, and by those, {@code #}, and names of fields. None without a compiler. */
    public static Map<String, String> read(List<Path> files) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Map<String, String> texts = new HashMap<>();
        if (javac == null || files.isEmpty()) {
            return texts;
        }
        try (var manager = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) javac.getTask(
                    null, manager, diagnostic -> {}, OPTIONS, null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                String at = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
                new CommentReader(DocTrees.instance(task), unit, texts).scan(unit, at);
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the sources " + files, e);
        }
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, String at) {
        String name = at + type.getSimpleName();
        DocComment comment = comment(type);
        put(name, comment.text());
        comment.params().forEach((param, text) -> put(name + "#" + param, text));
        return super.visitClass(type, name + "$");
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, String at) {
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        if (parent instanceof ClassTree) {
            put(
                    at.substring(0, at.length() - 1) + "#" + field.getName(),
                    comment(field).text());
        }
        return null;
    }

    private void put(String key, String text) {
        if (!text.isEmpty()) {
            texts.put(key, text);
        }
    }

    private DocComment comment(Tree tree) {
        String raw = trees.getDocComment(getCurrentPath());
        if (raw == null) {
            return DocComment.NONE;
        }
        int start = (int) trees.getSourcePositions().getStartPosition(unit, tree);
        return DocComment.of(raw, isMarkdown(source, start));
    }

    /** Comments of the form {@code ///} are told apart by the last line before the declaration. */
    private static boolean isMarkdown(CharSequence source, int start) {
        int end = start;
        while (end > 0 && Character.isWhitespace(source.charAt(end - 1))) {
            end--;
        }
        int begin = end;
        while (begin > 0 && source.charAt(begin - 1) != '\n') {
            begin--;
        }
        return source.subSequence(begin, Math.max(begin, end))
                .toString()
                .stripLeading()
                .startsWith("///");
    }
}
