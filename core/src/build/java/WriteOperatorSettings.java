import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * Writes {@code OperatorSettings}, with an accessor for each group of {@code SettingTable} and a class with its
 * settings, from its template. The table is only parsed, so that it can be compiled with what is written here.
 *
 * <p>{@code java WriteOperatorSettings.java TABLE TEMPLATE WRITTEN}
 */
class WriteOperatorSettings {
    private static final Map<String, String> PRIMITIVES = Map.of("Boolean", "boolean", "Integer", "int", "Long", "long");

    private record Group(String name, String type, String description) {}

    private record Setting(String constant, String type, String name, String defaultText, String description) {}

    private final List<Group> groups = new ArrayList<>();
    private final List<Setting> settings = new ArrayList<>();

    public static void main(String[] args) throws IOException {
        var writer = new WriteOperatorSettings();
        writer.read(Path.of(args[0]));
        Path written = Path.of(args[2]);
        Files.createDirectories(written.getParent());
        Files.writeString(written, writer.filled(Files.readString(Path.of(args[1]))));
    }

    private void read(Path table) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(table));
            for (CompilationUnitTree unit : task.parse()) {
                unit.accept(new Rows(), null);
            }
        }
        if (groups.isEmpty() || settings.isEmpty()) {
            throw new IllegalStateException("there are no settings in " + table);
        }
    }

    private class Rows extends TreeScanner<Void, Void> {
        @Override
        public Void visitVariable(VariableTree variable, Void nothing) {
            if (variable.getType() instanceof ParameterizedTypeTree type
                    && type.getType().toString().equals("SettingRow")
                    && variable.getInitializer() instanceof MethodInvocationTree row) {
                String value = type.getTypeArguments().getFirst().toString().replaceFirst("^@Nullable\\(?\\)? ?", "@Nullable ");
                settings.add(new Setting(
                        variable.getName().toString(),
                        PRIMITIVES.getOrDefault(value, value),
                        text(row.getArguments().get(0)),
                        text(row.getArguments().get(2)),
                        text(row.getArguments().get(3))));
            }
            return super.visitVariable(variable, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree made, Void nothing) {
            if (made.getIdentifier().toString().equals("SettingGroup")) {
                groups.add(new Group(
                        text(made.getArguments().get(0)),
                        text(made.getArguments().get(1)),
                        text(made.getArguments().get(2))));
            }
            return super.visitNewClass(made, nothing);
        }
    }

    private static String text(ExpressionTree expression) {
        return switch (expression) {
            case LiteralTree literal -> (String) literal.getValue();
            case BinaryTree sum -> text(sum.getLeftOperand()) + text(sum.getRightOperand());
            default -> throw new IllegalStateException("a row of the table has a text that is no literal: " + expression);
        };
    }

    private String filled(String template) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("    // fields\n", each("    private final %2$s %1$s;\n"));
        parts.put("        // groups\n", each("        this.%1$s = new %2$s(values);\n"));
        parts.put(
                "    // accessors\n",
                each("""
                            /** %3$s */
                            public %2$s %1$s() {
                                return %1$s;
                            }

                        """.indent(-4)) + groups.stream().map(this::type).collect(Collectors.joining("\n")));
        String filled = template;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            if (!filled.contains(part.getKey())) {
                throw new IllegalStateException("the template has no line: " + part.getKey());
            }
            filled = filled.replace(part.getKey(), part.getValue());
        }
        return filled;
    }

    private String each(String form) {
        return groups.stream()
                .map(group -> form.formatted(group.name(), group.type(), group.description()))
                .collect(Collectors.joining());
    }

    private String type(Group group) {
        String head = """
                    /** %2$s */
                    public static final class %1$s {
                        private final SettingValues values;

                        private %1$s(SettingValues values) {
                            this.values = values;
                        }
                """.formatted(group.type(), group.description());
        String prefix = group.name() + ".";
        return settings.stream()
                .filter(setting -> setting.name().startsWith(prefix))
                .map(setting -> """

                            /** %4$s Default: %5$s. */
                            public %3$s %2$s() {
                                return values.get(SettingTable.%6$s);
                            }

                            /** Sets {@link #%2$s()}. */
                            public %1$s %2$s(%3$s value) {
                                values.set(SettingTable.%6$s, value);
                                return this;
                            }
                        """.indent(-4).formatted(
                                group.type(),
                                setting.name().substring(prefix.length()),
                                setting.type(),
                                setting.description(),
                                setting.defaultText().equals("none") ? "null" : "{@code " + setting.defaultText() + "}",
                                setting.constant()))
                .collect(Collectors.joining("", head, "    }\n"));
    }
}
