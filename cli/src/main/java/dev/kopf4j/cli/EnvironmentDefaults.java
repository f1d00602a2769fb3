package dev.kopf4j.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Takes options that were not given from the environment: {@code --log-format} of {@code kopf4j run} from
 * {@code KOPF4J_RUN_LOG_FORMAT}. An option with several values has them separated by spaces, or by line breaks if they
 * may have spaces, as paths do, and also a plural name: {@code KOPF4J_RUN_NAMESPACE} or {@code KOPF4J_RUN_NAMESPACES}.
 * Where Kopf names a variable otherwise, that name holds, too: {@code KOPF4J_RUN_CLUSTERWIDE}. {@code kopf4j config}
 * shows what {@code kopf4j run} would have, and takes its variables, too. The files to run are never taken from the
 * environment. Nor are addresses of Services: in the namespace of a Service named {@code kopf4j-devcluster}, Kubernetes
 * gives {@code KOPF4J_DEVCLUSTER_PORT=tcp://10.96.0.7:6443} to each pod. Immutable.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables">Variables of
 *     Services</a>
 */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("\\s*(tcp|udp|sctp)://\\S+:\\d+\\s*");

    private static final Map<String, Boolean> FLAGS = Map.of(
            "true", true, "yes", true, "on", true, "1", true, "false", false, "no", false, "off", false, "0", false);

    /** Names that Kopf has for options, below its own first word. */
    private static final Map<String, String> NAMES_OF_KOPF =
            Map.of("--liveness", "--liveness-endpoint", "--all-namespaces", "--clusterwide");

    /** Commands that take the variables of another one, below their own. */
    private static final Map<String, String> SHOWN_COMMANDS = Map.of("kopf4j_config", "kopf4j_run");

    /** What Kubernetes tells each pod of a Service, such as one named {@code kopf4j-run-x}. */
    private static final Pattern OF_SERVICES =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    /** What the scripts that start the program obey, and the launcher of the dev cluster. */
    private static final Set<String> OF_SCRIPTS = Set.of(
            "KOPF4J_CACHE", "KOPF4J_DEVCLUSTER", "KOPF4J_JAVA_OPTS", "KOPF4J_JDK_FOLDERS", "KOPF4J_RUNNING_DEVCLUSTER");

    /** Options that exclude each other, though not as a group: both on the command line are told in words. */
    private static final Map<String, String> EXCLUDED =
            Map.of("--standalone", "--peering", "--peering", "--standalone");

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Returns the environment that the command line was made with. */
    static Map<String, String> environment(CommandSpec command) {
        return ((EnvironmentDefaults) command.root().defaultValueProvider()).environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option && !isFlag(option) ? value(option) : null;
    }

    /**
     * Sets the flags that were not given. They have no defaults, because picocli gives a flag on the command line the
     * opposite of its default. Of options that exclude each other, the one on the command line decides.
     */
    void setFlags(ParseResult parsed) {
        parsed.commandSpec().options().stream()
                .filter(option -> !isFlag(option) && !parsed.hasMatchedOption(option) && isReplaced(option, parsed))
                .forEach(option -> option.setValue(null));
        parsed.commandSpec().options().stream()
                .filter(option -> isFlag(option) && !parsed.hasMatchedOption(option) && !isExcluded(option, parsed))
                .forEach(option -> {
                    String word = value(option);
                    if (word != null) {
                        option.setValue(flag(option, word));
                    }
                });
    }

    private static boolean isExcluded(OptionSpec option, ParseResult parsed) {
        ArgGroupSpec group = option.group();
        return isReplaced(option, parsed)
                || (group != null
                        && group.exclusive()
                        && group.options().stream().anyMatch(parsed::hasMatchedOption));
    }

    private static boolean isReplaced(OptionSpec option, ParseResult parsed) {
        String other = EXCLUDED.get(option.longestName());
        return other != null && parsed.hasMatchedOption(other);
    }

    /** A flag whose word is not understood must not count as false: nobody would notice that it has no effect. */
    private boolean flag(OptionSpec option, String word) {
        Boolean known = FLAGS.get(word.toLowerCase(Locale.ROOT));
        if (known == null) {
            throw new ParameterException(
                    option.command().commandLine(),
                    "the variable " + variable(option, word) + " must be true or false (or yes, no, on,"
                            + " off, 1, 0), but is '" + word + "'");
        }
        return known;
    }

    private String variable(OptionSpec option, String word) {
        return names(option)
                .filter(name -> word.equals(environment.getOrDefault(name, "").strip()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFlag(OptionSpec option) {
        return option.arity().max() == 0;
    }

    private @Nullable String value(OptionSpec option) {
        Stream<String> found = names(option)
                .map(environment::get)
                .filter(value -> value != null
                        && !value.isBlank()
                        && !SERVICE_ADDRESS.matcher(value).matches())
                .map(String::strip);
        return option.isMultiValue()
                ? found.reduce((one, other) -> one + "\n" + other).orElse(null)
                : found.findFirst().orElse(null);
    }

    /** The variables that look like options of the command, but are none: nobody would notice that they do nothing. */
    List<String> unknown(CommandSpec command) {
        String prefix = environmentName(command.qualifiedName("_")) + "_";
        List<String> inner = command.subcommands().keySet().stream()
                .map(name -> prefix + environmentName(name) + "_")
                .toList();
        Set<String> known =
                command.options().stream().flatMap(EnvironmentDefaults::names).collect(Collectors.toSet());
        return environment.keySet().stream()
                .filter(name -> name.startsWith(prefix) && !known.contains(name))
                .filter(name -> !OF_SERVICES.matcher(name).matches() && !OF_SCRIPTS.contains(name))
                .filter(name -> inner.stream().noneMatch(name::startsWith))
                .sorted()
                .toList();
    }

    /** The variables of an option: of several values all count, and the last one wins; else it is the first one. */
    private static Stream<String> names(OptionSpec option) {
        String command = option.command().qualifiedName("_");
        Stream<String> shown = Stream.ofNullable(SHOWN_COMMANDS.get(command));
        Stream<String> commands = option.isMultiValue()
                ? Stream.concat(shown, Stream.of(command))
                : Stream.concat(Stream.of(command), shown);
        return commands.flatMap(each -> names(each, option));
    }

    private static Stream<String> names(String command, OptionSpec option) {
        String own = option.longestName();
        Stream<String> names = option.isMultiValue()
                ? Stream.of(own, own + "s")
                : Stream.concat(Stream.of(own), Stream.ofNullable(NAMES_OF_KOPF.get(own)));
        return names.map(name -> environmentName(command + "_" + name.replaceFirst("^--?", "")));
    }

    private static String environmentName(String name) {
        return name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
