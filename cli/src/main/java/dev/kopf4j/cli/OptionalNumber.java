package dev.kopf4j.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Lets an option with an optional number stand before a file: what is no number is not its value. */
final class OptionalNumber implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // picocli's signature
    public boolean preprocess(
            Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> information) {
        if (arguments.isEmpty() || !arguments.peek().matches("[-+]?\\.?\\d.*")) {
            arguments.push(((picocli.CommandLine.Model.OptionSpec) option).fallbackValue());
        }
        return false;
    }
}
