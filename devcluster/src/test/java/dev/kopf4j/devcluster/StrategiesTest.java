package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.TemplateStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Holds that strategies, and nothing else, know kinds by their names. */
class StrategiesTest {
    private static final String PACKAGE = "dev.kopf4j.devcluster.";
    private static final Map<String, ResourceStrategy> STRATEGIES =
            BuiltinStrategies.all(false, InstantSource.system(), new ObjectStore(10, 1));
    private static final Map<String, Resource> RESOURCES = BuiltinResources.all().stream()
            .collect(Collectors.toMap(Resource::qualified, Function.identity(), (first, second) -> first));

    /** Methods of a resource that give its name. */
    private static final Set<String> NAMES = Set.of("kind", "plural", "qualified", "bucket");

    /** Calls that compare what they are given. */
    private static final Set<String> COMPARISONS =
            Set.of("equals", "contains", "containsKey", "startsWith", "endsWith", "matches", "equalsIgnoreCase");

    @Test
    void eachStrategyIsOfOneServedResource() {
        assertThat(STRATEGIES).hasSizeGreaterThan(15);
        assertThat(RESOURCES.keySet()).containsAll(STRATEGIES.keySet());
        assertThat(STRATEGIES.values().stream().map(Object::getClass).filter(type -> type != TemplateStrategy.class))
                .doesNotHaveDuplicates();
    }

    @Test
    void strategiesLieInThePackageOfTheirGroup() {
        STRATEGIES.forEach((name, strategy) -> {
            if (strategy.getClass() == TemplateStrategy.class) {
                return; // a template and rows of a table are all that the kind has
            }
            String group = Objects.requireNonNull(RESOURCES.get(name)).group();
            // The events of events.k8s.io are those of the core group.
            boolean core = group.isEmpty() || group.equals("events.k8s.io");
            String home = PACKAGE + "strategy." + (core ? "core" : group.replaceFirst("\\..*", ""));
            assertThat(strategy.getClass().getPackageName())
                    .as(name)
                    .satisfiesAnyOf(
                            found -> assertThat(found).isEqualTo(home),
                            found -> assertThat(found).startsWith(home + "."));
        });
    }

    @Test
    void nothingElseComparesTheNamesOfResources() throws IOException, URISyntaxException {
        URL main = Resource.class.getProtectionDomain().getCodeSource().getLocation();
        Path classes = Path.of(main.toURI());
        List<String> found = new ArrayList<>();
        int seen = 0;
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(file);
                String name = model.thisClass().asInternalName().replace('/', '.');
                if (!name.startsWith(PACKAGE + "strategy.") && !name.startsWith(PACKAGE + "resource.")) {
                    found.addAll(comparisons(model));
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThan(200);
        assertThat(found).isEmpty();
    }

    /** A rule that finds nothing in a class full of breaches would find nothing anywhere. */
    @Test
    void seesWhatTheRuleForbids() throws IOException {
        try (InputStream stream = Breaches.class.getResourceAsStream("StrategiesTest$Breaches.class")) {
            assertThat(stream).isNotNull();
            assertThat(comparisons(ClassFile.of().parse(stream.readAllBytes())))
                    .containsExactlyInAnyOrder(
                            "StrategiesTest$Breaches.literal",
                            "StrategiesTest$Breaches.reversed",
                            "StrategiesTest$Breaches.set",
                            "StrategiesTest$Breaches.choice");
        }
    }

    private static List<String> comparisons(ClassModel model) {
        String type = model.thisClass().asInternalName().replaceFirst(".*/", "");
        return model.methods().stream()
                .filter(StrategiesTest::compares)
                .map(method -> type + "." + method.methodName().stringValue())
                .toList();
    }

    /** Whether a method compares the name of a resource with a literal or a constant, or switches on it. */
    private static boolean compares(MethodModel method) {
        List<Instruction> code = method.code()
                .map(body -> body.elementStream()
                        .filter(Instruction.class::isInstance)
                        .map(Instruction.class::cast)
                        .toList())
                .orElse(List.of());
        for (int index = 0; index < code.size(); index++) {
            if (isName(code.get(index)) && (isComparedAt(code, index) || isSwitchedAfter(code, index))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isName(Instruction instruction) {
        return instruction instanceof InvokeInstruction call
                && call.owner().asInternalName().equals(Resource.class.getName().replace('.', '/'))
                && NAMES.contains(call.name().stringValue());
    }

    private static boolean isComparedAt(List<Instruction> code, int index) {
        boolean literalAfter = isConstant(at(code, index + 1)) && isComparison(at(code, index + 2));
        boolean constantBefore = isComparison(at(code, index + 1))
                && (isConstant(at(code, index - 2)) || isConstant(at(code, index - 3)));
        return literalAfter || constantBefore;
    }

    /** A switch on a text keeps it in a variable and takes its hash. */
    private static boolean isSwitchedAfter(List<Instruction> code, int index) {
        return at(code, index + 1) instanceof StoreInstruction
                && code.subList(index, Math.min(index + 8, code.size())).stream()
                        .anyMatch(each -> each instanceof InvokeInstruction call
                                && call.name().stringValue().equals("hashCode"));
    }

    private static @Nullable Instruction at(List<Instruction> code, int index) {
        return index >= 0 && index < code.size() ? code.get(index) : null;
    }

    private static boolean isConstant(@Nullable Instruction instruction) {
        return instruction instanceof ConstantInstruction
                || (instruction instanceof FieldInstruction field && field.opcode() == Opcode.GETSTATIC);
    }

    private static boolean isComparison(@Nullable Instruction instruction) {
        return instruction instanceof InvokeInstruction call
                && COMPARISONS.contains(call.name().stringValue());
    }

    /** What the rule must see. */
    @SuppressWarnings("unused")
    private static final class Breaches {
        private static final Set<String> SOME = Set.of("Pod", "Node");

        static boolean literal(Resource resource) {
            return resource.kind().equals("Pod");
        }

        static boolean reversed(Resource resource) {
            return "pods".equals(resource.plural());
        }

        static boolean set(Resource resource) {
            return SOME.contains(resource.kind());
        }

        static int choice(Resource resource) {
            return switch (resource.qualified()) {
                case "pods" -> 1;
                case "nodes" -> 2;
                default -> 0;
            };
        }

        /** Words of clients may be compared. */
        static boolean allowed(Resource resource, String word) {
            return word.equals(resource.kind());
        }
    }
}
